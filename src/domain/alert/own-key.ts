import type { Body } from '#domain/alert/body.ts'
import { fieldKey } from '#domain/alert/read/find-fields.ts'
import { isObject } from '#domain/alert/read/json-value.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'

/*
 * Names of ids that an alarm and its end share, without signs, the most exact first. The id of a post, a
 * message, a result or a delivery is another one each time and is none of them. Neither is that of an event,
 * unless the event has a state of its own (Zabbix).
 */
const EXACT: readonly RegExp[] = [
  /^groupkey$/,
  /^fingerprint$/,
  /^(?:alert|event|incident)?dedup(?:e|lication)?key(?:id)?$/,
  /^(?:original)?(?:problem|incident)(?:key|id)$/,
  /^(?:issue|alertgroup|(?:original|origin)(?:event|alert))id$/,
]
/** Objects whose `id` is such a key. */
const OWNERS = /^(?:incident|issue|problem|alertgroup)$/
/** Values of a field beside an `id` that say what the id is of. */
const IS_INCIDENT = /^(?:incident|issue|problem)s?$/i
const IS_ALARM = /^(?:incident|issue|problem|alarm|alert)s?$/i
/** An event with a state lasts longer than a post. */
const EVENT = /^eventid$/
const EVENT_STATE = /^(?:event|trigger)(?:value|status|recoveryid|updatestatus|nseverity)$|^triggerid$/
/** Ids that some senders give to a rule, which several machines break. */
const RULED = /^(?:alert|trigger)(?:u?id|uuid)$/
/** A longer id names one alert. */
const RULE_LENGTH_MAX = 12
/** Beside its type, the id of an alert is that of one post (Meraki). */
const TYPED = /^alerttypeid$/
/** What a monitor watches: what is wrong with it is one problem. */
const WATCHED: readonly RegExp[] = [/^monitor(?:u?id|uuid)$/, /^check(?:u?id|uuid)$/]
const WATCHERS = /^(?:monitor|check)$/
const NO_ID = /^(?:0*|-1|null|none|n\/a|\W*)$|\{[A-Z]+\.[A-Z.]+\}/i

/** A sender's own key. `isRule`: several machines may share it. `isWatched`: so may several problems. */
export interface OwnKey {
  readonly id: string
  readonly isRule?: boolean
  readonly isWatched?: boolean
}

/** A field by its normalized name, and the names above it. */
interface Named {
  readonly name: string
  readonly above: readonly string[]
  readonly value: string
}

/** The sender's own key of the problem. Null: there is none. */
export function ownKey(body: Body, listed: readonly ListedField[]): OwnKey | null {
  const fields = namedFields(body, listed)
  const ids = fields.filter(({ value }) => !NO_ID.test(value))
  const named = (name: RegExp) => ids.find(one => name.test(one.name))?.value
  const owned = (owner: RegExp) =>
    ids.find(({ name, above }) => name === 'id' && owner.test(above.at(-1) ?? ''))?.value
  const beside = (name: RegExp, others: readonly Named[]) =>
    ids.find(one => name.test(one.name) && others.some(other => areTogether(other, one)))?.value
  const states = fields.filter(one => EVENT_STATE.test(one.name))
  const id =
    firstOf(EXACT, named) ??
    owned(OWNERS) ??
    beside(/^id$/, fields.filter(isTypeOfProblem)) ??
    beside(EVENT, states)
  if (id !== undefined) return { id }
  const ruled = fields.some(({ name }) => TYPED.test(name)) ? undefined : named(RULED)
  if (ruled !== undefined) return { id: ruled, isRule: ruled.length <= RULE_LENGTH_MAX }
  const alias = aliasOf(body)
  if (alias !== '') return { id: alias }
  const watched = firstOf(WATCHED, named) ?? owned(WATCHERS)
  return watched === undefined ? null : { id: watched, isWatched: true }
}

function firstOf(names: readonly RegExp[], find: (name: RegExp) => string | undefined): string | undefined {
  return names.map(find).find(one => one !== undefined)
}

/** The fields that may hold an id: those outside of lists, and those of the worst item of a list. */
function namedFields(body: Body, listed: readonly ListedField[]): readonly Named[] {
  const outer = listed
    .filter(({ keys }) => !keys.some(key => /^\d+$/.test(key)))
    .map(({ keys, value }) => ({ keys: keys.map(fieldKey), value: cleanLine(value) }))
    .map(({ keys, value }) => ({ name: keys.at(-1) ?? '', above: keys.slice(0, -1), value }))
  const [alert] = body.objects('alerts')
  const worst = [
    ...body.scopes.flatMap(scope => [...scope]),
    ['fingerprint', alert?.['fingerprint']] as const,
  ]
    .filter(([name]) => /(?:id|key|fingerprint)$/.test(name))
    .map(([name, value]) => ({ name, above: [''], value: cleanLine(scalarOf(value)) }))
  return [...outer, ...worst]
}

/** Whether a field says that the object is an incident, or an alarm as a thing of its own. */
function isTypeOfProblem({ name, value }: Named): boolean {
  return name === 'entitytype' ? IS_ALARM.test(value) : name === 'type' && IS_INCIDENT.test(value)
}

function areTogether(one: Named, other: Named): boolean {
  return one.above.join('.') === other.above.join('.')
}

/** Opsgenie's name for the problem, beside its message. In a chat message it is the name of the sender. */
function aliasOf({ value, scopes }: Body): string {
  const isChat = isObject(value) && (Object.hasOwn(value, 'attachments') || Object.hasOwn(value, 'text'))
  const scope = isChat ? undefined : scopes.find(one => one.has('alias') && one.has('message'))
  return cleanLine(scalarOf(scope?.get('alias')))
}
