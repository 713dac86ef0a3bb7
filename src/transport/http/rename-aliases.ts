/** A body with the field names of the schema. */
export interface Renamed {
  readonly fields: object
  /** The caller's name of each renamed field, by the schema's name. Refusals must use the caller's names. */
  readonly writtenAs: ReadonlyMap<string, string>
}

const NONE_RENAMED: ReadonlyMap<string, string> = new Map()

/** Renames aliases to the schema's names; if both are present, the schema's name wins. */
export function renameAliases(json: unknown, aliases: Readonly<Record<string, readonly string[]>>): Renamed {
  const given = json as Readonly<Record<string, unknown>>
  // The usual case, without a copy of the body.
  if (Object.keys(aliases).every(name => given[name] != null))
    return { fields: given, writtenAs: NONE_RENAMED }
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
