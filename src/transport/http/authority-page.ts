/** The page with the certificate of the owner's authority, and the steps to install it. */
import { escapeHtml, htmlPage, pageHeaders } from '#transport/http/html-page.ts'

export const AUTHORITY_PAGE_HEADERS = pageHeaders()

/** `fingerprint`: SHA-256 of the certificate in its DER form. */
export function authorityPage({
  name,
  fingerprint,
}: {
  readonly name: string
  readonly fingerprint: string
}): string {
  return htmlPage(
    'Trust this gateway',
    `<p>Devices that install this certificate trust the HTTPS of this gateway: <b>${escapeHtml(name)}</b>.</p>
<p><a href="ca.crt">ca.crt</a> for phones, Windows and macOS, <a href="ca.pem">ca.pem</a> for Linux</p>
<p>Before you trust it, compare its SHA-256 fingerprint with what <code>roost certificate show</code> says on
the gateway's own machine. An attacker on the network could have changed this page:</p>
<pre>${escapeHtml(fingerprint)}</pre>
<ul>
<li><b>Android</b>: open ca.crt, then Settings, Security and privacy, More security settings, Encryption and
credentials, Install a certificate, CA certificate, Install anyway, and choose the file. Browsers then
trust it. Other apps do so only if their developers allowed it.</li>
<li><b>iPhone, iPad</b>: open ca.crt in Safari and allow the profile. Settings, Profile Downloaded,
Install. Then Settings, General, About, Certificate Trust Settings: switch it on.</li>
<li><b>Windows</b>, as administrator:<pre>certutil -addstore -f Root ca.crt</pre></li>
<li><b>macOS</b>:<pre>sudo security add-trusted-cert -d -r trustRoot \\
  -k /Library/Keychains/System.keychain ca.crt</pre></li>
<li><b>Debian, Ubuntu, Raspberry Pi OS</b>:<pre>sudo cp ca.pem /usr/local/share/ca-certificates/roost.crt
sudo update-ca-certificates</pre></li>
<li><b>Firefox</b> has its own list: Settings, Privacy and Security, View Certificates, Authorities,
Import.</li>
<li><b>Node.js</b>: <code>NODE_EXTRA_CA_CERTS=ca.pem</code>. <b>curl</b>: <code>--cacert ca.pem</code>.</li>
</ul>
<p>Whoever has the key of this authority could pretend to be any site to these devices. The key never leaves
the gateway's machine, except in its backups.</p>`,
  )
}
