/** Where the owner chooses a password. */
export function setupUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/#/setup/${token}`
}

/** What every start says until the owner has a password. */
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

/** What every start says: where the gateway is. */
export function whereItIs({ url, publicUrl }: Addresses): string {
  const elsewhere = publicUrl === url ? '' : `\nOther machines and phones reach it at ${publicUrl}`
  return `\nRoost is running at ${url}${elsewhere}\n`
}

/** What a start under systemd says in place of secrets: its output goes to a journal that many may read. */
export const SECRETS_WITHHELD = `
Keys and links are not printed to the log of a service. On this machine run:

  roost setup-link          to choose the password of the owner
  roost key create --test   to make a sandbox key

`

/** What the first start says beside it: everything that works at once, ready to be pasted. */
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
