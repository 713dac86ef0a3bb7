import { findRaw, type Scopes } from '#domain/alert/read/find-fields.ts'
import { EXITS } from '#domain/alert/vocabulary/field-names.ts'

/** `exit 2` for a program that failed with this exit status; empty if no field has one, or it is 0. */
export function findExit(scopes: Scopes): string {
  const status = findRaw(scopes, EXITS)
  return /^\d{1,3}$/.test(status) && Number(status) > 0 && Number(status) <= 255 ? `exit ${status}` : ''
}
