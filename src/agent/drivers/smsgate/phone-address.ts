/** The port on which the app's local server listens by default. */
const APP_PORT = '8080'

export type AddressRead =
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'wrong'; readonly message: string }

/**
 * Reads an address as people copy it from the app's home screen (`192.168.1.20:8080`). The returned URL has a
 * scheme, a host and a port, and no path.
 */
export function readPhoneAddress(text: string): AddressRead {
  const wrong = (message: string) => ({ kind: 'wrong', message }) as const
  const written = text.trim()
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`
  if (written === '' || !URL.canParse(absolute))
    return wrong('must be the address that the app shows, such as http://192.168.1.20:8080')
  const { protocol, hostname, port, username, password, pathname, search } = new URL(absolute)
  if (protocol === 'https:')
    return wrong("must begin with http://: the app's local server does not speak HTTPS")
  if (protocol !== 'http:') return wrong('must begin with http://')
  if (username !== '' || password !== '')
    return wrong('must not contain a user name or password: give them separately')
  if (pathname !== '/' || search !== '')
    return wrong('must end after the port, such as http://192.168.1.20:8080')
  // The URL parser drops an explicit port 80.
  const isEighty = /:80\/?$/.test(written)
  return { kind: 'address', url: `http://${hostname}:${port || (isEighty ? '80' : APP_PORT)}` }
}
