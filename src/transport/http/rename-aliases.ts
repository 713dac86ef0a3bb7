/** The fields of a body under the names that its schema has. */
export interface Renamed {
  readonly fields: object
  /** What the caller wrote, by the name in the schema; for refusals, which name what is in the body. */
  readonly writtenAs: ReadonlyMap<string, string>
}

const AS_WRITTEN: ReadonlyMap<string, string> = new Map()

/** Gives fields that came under another name their own; where both stand there, their own counts. */
export function renameAliases(json: unknown, aliases: Readonly<Record<string, readonly string[]>>): Renamed {
  const given = json as Readonly<Record<string, unknown>>
  // Nearly always: it spares every send a copy.
  if (Object.keys(aliases).every(name => given[name] != null)) return { fields: given, writtenAs: AS_WRITTEN }
  const fields: Record<string, unknown> = { ...given }
  const writtenAs = new Map<string, string>()
  for (const [name, others] of Object.entries(aliases)) {
    if (fields[name] != null) continue
    const other = others.find(one => fields[one] != null)
    if (other === undefined) continue
    fields[name] = fields[other]
    writtenAs.set(name, other)
  }
  return { fields, writtenAs }
}
