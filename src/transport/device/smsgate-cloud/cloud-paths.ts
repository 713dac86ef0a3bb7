/** Paths of the cloud mode. The app appends fixed names to the API URL that its user typed. */

/** Roost's own base path, and the one that the app's documentation tells users to type. */
const BASES = ['/smsgate/v1', '/api/mobile/v1'] as const

/** The path to which the app sends its webhooks. */
export const HOOK_PATH = '/smsgate/v1/hook/{device}/{secret}'

/**
 * The path that ends with this name of the app, in all spellings: below each base, with slashes doubled or
 * not.
 */
export function cloudPaths(name: string): { readonly path: string; readonly aliases: readonly string[] } {
  const [path = '', ...aliases] = BASES.flatMap(base => doubled(`${base}/${name}`))
  return { path, aliases }
}

/** The base paths themselves, where a program can test whether it reaches the gateway. */
export const CLOUD_ROOT = { path: BASES[0], aliases: BASES.slice(1) } as const

/** All spellings of the path in which some slashes are doubled; the plain spelling comes first. */
function doubled(path: string): string[] {
  const [first = '', ...parts] = path.split('/').slice(1)
  const heads = [`/${first}`, `//${first}`]
  return parts.reduce(
    (written, part) => written.flatMap(head => [`${head}/${part}`, `${head}//${part}`]),
    heads,
  )
}
