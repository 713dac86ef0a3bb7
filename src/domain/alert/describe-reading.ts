import {
  type AlertField,
  type AlertReading,
  CHOICES_MAX,
  FIELD_PATH_LENGTH_MAX,
  FIELD_ROLES,
  type FieldRole,
  type ReadingChoices,
  SETTLED_ROLES,
  type SettledRoles,
} from '#contracts/alert-reading.ts'
import { alertSubject } from '#domain/alert/alert-key.ts'
import type { Body } from '#domain/alert/body.ts'
import type { Report } from '#domain/alert/compose.ts'
import { assignRoles } from '#domain/alert/guess/assign-roles.ts'
import { hashText } from '#domain/alert/read/hash-text.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import type { ReadAlert } from '#domain/alert/read-alert.ts'
import { thingsOfGroup } from '#domain/alert/senders/group-things.ts'
import { cleanLine, mentions } from '#domain/alert/text/clean-text.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** Longest value that is compared with a text. */
const VALUE_LENGTH_MAX = 500
/** Longest value that is shown: enough to recognize it. A webhook keeps those of its last alerts. */
const SHOWN_LENGTH_MAX = 200
const CONFIRMATION =
  /^https:\/\/sns\.[a-z]{2}(?:-[a-z]{2,12}){1,3}-\d{1,2}\.amazonaws\.com(?:\.cn)?\/[!-~]{1,2000}$/

/** What was read, and how the fields of its body were understood. */
export interface Understood {
  readonly body: Body
  readonly read: ReadAlert
  readonly fields: readonly ListedField[]
  readonly shape: string
  readonly settled: SettledRoles | undefined
}

export function describeReading({ body, read, fields, shape, settled }: Understood): AlertReading {
  const about = alertSubject(body, read.report, fields)
  const roles = new Map<ListedField, FieldRole>()
  const probable = assignRoles(fields)
  const told = FIELD_ROLES.map(role => [role, fieldOfRole(role, fields, { read, settled })] as const)
  // What the text tells comes before what is only probable.
  for (const [role, field] of told) if (field !== undefined && !roles.has(field)) roles.set(field, role)
  for (const [role, field] of told) {
    const found = field ?? probable[role][0]?.field
    if (found !== undefined && !roles.has(found)) roles.set(found, role)
  }
  return {
    guess: !read.isKnown && settled === undefined,
    fields: fields
      .filter(({ path }) => path.length <= FIELD_PATH_LENGTH_MAX)
      .map(field => ({
        path: field.path.toWellFormed(),
        value: field.value.slice(0, SHOWN_LENGTH_MAX).toWellFormed(),
        role: roles.get(field) ?? null,
      })),
    shape,
    ...about,
    ...thingsOfGroup(body, about.key),
    confirmationUrl: confirmationUrl(body),
  }
}

type Sources = Pick<Understood, 'read' | 'settled'>

/** The field that the owner settled, or else the one that the text tells. */
function fieldOfRole(
  role: FieldRole,
  fields: readonly ListedField[],
  { read, settled }: Sources,
): ListedField | undefined {
  const path = role === 'severity' ? null : settled?.[role]
  const own = path == null ? undefined : fieldAt(fields, path)
  if (own !== undefined) return own
  const { report } = read
  return fields.find(field => report !== null && tells(report, role, field))
}

/** The field that a template reaches by this path: `a.b` is `b` of `a` before a field named `a.b`. */
export function fieldAt(fields: readonly ListedField[], path: string): ListedField | undefined {
  const same = fields.filter(field => field.path === path)
  return same.find(({ keys }) => !keys.some(key => key.includes('.'))) ?? same[0]
}

/** The fields that a person may choose from for each role: those that the text tells, then probable ones. */
export function choicesOf(fields: readonly AlertField[]): ReadingChoices {
  const probable = assignRoles(
    fields.map(({ path, value }) => ({ path, keys: path.split('.'), value, isLine: false })),
  )
  const choices = SETTLED_ROLES.map(role => {
    const told = fields.filter(field => field.role === role)
    const paths = [...told, ...probable[role].map(({ field }) => field)].map(({ path }) => path)
    return [role, [...new Set(paths)].slice(0, CHOICES_MAX)] as const
  })
  return Object.fromEntries(choices) as unknown as ReadingChoices
}

/** Whether the text has this role from this field. */
export function tells({ state, subject, reason }: Report, role: FieldRole, field: ListedField): boolean {
  if (field.value.length > VALUE_LENGTH_MAX) return false
  const text = cleanLine(field.value)
  if (text === '') return false
  if (role === 'thing') return subject !== '' && subject === text
  if (role === 'state') return state !== null && readState(text)?.word === state.word
  const [first = ''] = [reason].flat()
  return role === 'reason' && first !== '' && (first === text || (text.length > 12 && mentions(first, text)))
}

/** The values that a template reaches beside those of the body: fields inside texts, and Roost's reading. */
export function templateValues({ fields, read }: Understood): ReadonlyMap<string, string> {
  const { report } = read
  return new Map([
    ['state', report?.state?.word ?? ''],
    ['thing', report?.subject ?? ''],
    ['reason', [report?.reason ?? ''].flat().join('. ')],
    ...fields.map(({ path, value }): [string, string] => [path, value]),
  ])
}

/** A name for bodies with the same set of paths. The items of a list count as one. */
export function shapeOf(fields: readonly ListedField[]): string {
  const paths = fields.map(({ keys }) => keys.map(key => (/^\d+$/.test(key) ? '*' : key)).join('.'))
  const text = [...new Set(paths)].sort().join('\n')
  // Two runs of FNV-1a with different starts: 64 bits are enough for the shapes of one webhook.
  return [0x811c9dc5, 0x01234567].map(start => hashText(text, start)).join('')
}

/** The address of AWS SNS that confirms a subscription. */
function confirmationUrl(body: Body): string | null {
  const url = body.raw('SubscribeURL')
  return body.raw('Type') === 'SubscriptionConfirmation' && CONFIRMATION.test(url) ? url : null
}
