/** How mails reach a webhook. */
interface MailAccess {
  readonly server: string
  /** 0: the gateway takes no mails. */
  readonly port: number
  readonly address: string
  /** Of the webhook. */
  readonly token: string
}

const OFF = `
The gateway takes no mails yet. Set port = 2525 under [smtp] in its configuration, and restart it.
`

/** What to type into the settings of devices that send e-mail. */
export const mailSettings = ({ server, port, address, token }: MailAccess) => `Alerts by e-mail
${port === 0 ? OFF : ''}
  Server (SMTP, outgoing mail)   ${server}
  Port                           ${port || 2525}
  Recipient                      ${address}
  Sender                         any address, such as alerts@roost.local
  Encryption                     none, or STARTTLS if the gateway has a certificate
  Login                          none

A device with a fixed recipient logs in instead: any user name, and this password:
  ${token}

To state how bad an alert is, write +critical, +warning or +info before the @:
  ${address.replace('@', '+critical@')}

Synology DSM       Control Panel, Notification, Email: service provider "Custom SMTP server".
APC, Eaton UPS     Notification, E-mail, Server: authentication off; the recipient as above.
Hikvision, Dahua   Network, Advanced, Email: the recipient as Receiver 1; encryption off.
Brother, HP        Network, Protocol, SMTP: authentication off; the recipient in Scan or Alert to e-mail.
FRITZ!Box          System, Push Service, Sender: "Other provider"; it wants a login, so use the password.
Proxmox            Datacenter, Notifications, Add, SMTP: mode "Insecure"; the recipient as above.
Printers, others   What asks for a mail server, a port and a recipient takes these three.
`
