/** Where the app finds the gateway: it appends fixed names to the address that its user typed. */

/** Ours, and the one that every guide of the app tells to type. */
const BASES = ['/smsgate/v1', '/api/mobile/v1'] as const

/** Where the app's webhooks are sent. */
export const HOOK_PATH = '/smsgate/v1/hook/{device}/{secret}'

/** The path and its other spellings: each base, each slash single or doubled. */
export function cloudPaths(name: string): { readonly path: string; readonly aliases: readonly string[] } {
  const [path = '', ...aliases] = BASES.flatMap(base => doubled(`${base}/${name}`))
  return { path, aliases }
}

/** The bases themselves: a program asks there whether the gateway can be reached. */
export const CLOUD_ROOT = { path: BASES[0], aliases: BASES.slice(1) } as const

/** Every way to write the path with some of its slashes doubled; the plain one first. */
function doubled(path: string): string[] {
  const [first = '', ...parts] = path.split('/').slice(1)
  const heads = [`/${first}`, `//${first}`]
  return parts.reduce(
    (written, part) => written.flatMap(head => [`${head}/${part}`, `${head}//${part}`]),
    heads,
  )
}
