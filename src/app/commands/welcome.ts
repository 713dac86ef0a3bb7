/** The texts that the gateway prints at its start. */

/** The page on which the owner chooses a password. */
export function setupUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/#/setup/${token}`
}

/** Printed at every start until the owner has a password. */
export function setupInvitation(link: string): string {
  return `
Open this link within a day to choose the e-mail address and the password of the owner. It works once:

  ${link}

`
}

export interface Addresses {
  /** Address for programs on this machine. */
  readonly url: string
  /** Address for phones and programs on the network. */
  readonly publicUrl: string
}

/** Printed at every start: the gateway's addresses. */
export function runningAt({ url, publicUrl }: Addresses): string {
  const elsewhere = publicUrl === url ? '' : `\nAddress for other machines and phones: ${publicUrl}`
  return `\nRoost is running at ${url}${elsewhere}\n`
}

/** Printed under systemd instead of secrets: the output goes to a journal that many users may read. */
export const SECRETS_WITHHELD = `
Keys and links are not printed to the log of a service. On this machine run:

  roost setup-link          to choose the password of the owner
  roost key create --test   to make a sandbox key

`

/** Also printed at the first start: a sandbox key, and a command that uses it. */
export function welcome(url: string, first: { readonly testKey: string }): string {
  const headers = `-H 'X-API-Key: ${first.testKey}' -H 'Content-Type: application/json'`
  const body = '{"phoneNumber":"+15005550006","message":"Hello from Roost"}'
  return `
This is the first start. Roost has made a sandbox key: it works like any API key, but its messages never
reach a phone.

  ${first.testKey}

Try it:

  curl -s ${url}/api/v1/sms/send ${headers} -d '${body}'

`
}
