/** Where the owner chooses a password. */
export function setupUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/#/setup/${token}`
}

/** Printed at every start until the owner has a password. */
export function setupInvitation(link: string): string {
  return `
Open this link once, within a day, to choose the e-mail address and the password of the owner:

  ${link}

`
}

export interface Addresses {
  /** For this machine. */
  readonly url: string
  /** For phones and programs on the network. */
  readonly publicUrl: string
}

/** Printed at every start: the gateway's addresses. */
export function whereItIs({ url, publicUrl }: Addresses): string {
  const elsewhere = publicUrl === url ? '' : `\nOther machines and phones reach it at ${publicUrl}`
  return `\nRoost is running at ${url}${elsewhere}\n`
}

/** Printed under systemd instead of secrets: the output goes to a journal that many users may read. */
export const SECRETS_WITHHELD = `
Keys and links are not printed to the log of a service. On this machine run:

  roost setup-link          to choose the password of the owner
  roost key create --test   to make a sandbox key

`

/** Also printed at the first start: commands that work at once, ready to paste. */
export function welcome(url: string, first: { readonly testKey: string }): string {
  const headers = `-H 'X-API-Key: ${first.testKey}' -H 'Content-Type: application/json'`
  const body = '{"phoneNumber":"+15005550006","message":"Hello from Roost"}'
  return `
This is its first start. A sandbox key was made: nothing sent with it reaches a phone, all else is real.

  ${first.testKey}

Try it:

  curl -s ${url}/api/v1/sms/send ${headers} -d '${body}'

`
}
