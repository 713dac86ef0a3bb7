/** Where the owner chooses a password. */
export function setupUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/setup?token=${token}`
}

/** What every start says until the owner has a password. */
export function setupInvitation(link: string): string {
  return `
Open this link once, within a day, to choose the e-mail address and the password of the owner:

  ${link}

`
}

/** What the first start says: everything that works at once, ready to be pasted. */
export function welcome(url: string, first: { readonly testKey: string }): string {
  const headers = `-H 'X-API-Key: ${first.testKey}' -H 'Content-Type: application/json'`
  const body = '{"phoneNumber":"+15005550006","message":"Hello from Roost"}'
  return `
Roost is running at ${url}

This is its first start. A sandbox key was made: nothing sent with it reaches a phone, all else is real.

  ${first.testKey}

Try it:

  curl -s ${url}/api/v1/sms/send ${headers} -d '${body}'

`
}
