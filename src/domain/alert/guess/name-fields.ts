import { isWorthTelling, READABLE } from '#domain/alert/guess/digest-fields.ts'
import { shortNumber } from '#domain/alert/guess/measured-condition.ts'
import { isDate } from '#domain/alert/guess/role-features.ts'
import { isIdentifier } from '#domain/alert/read/find-fields.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { inEnglish } from '#domain/alert/vocabulary/other-languages.ts'
import { readState, tokensOf } from '#domain/alert/vocabulary/states.ts'

/** Words of names of fields with the name of a thing, the closest to the fault first. */
const THINGS = words(
  'pool sensor device camera cam detector canary probe disk resource monitor agent endpoint vehicle asset ' +
    'printer volume machine host hostname node server computer station system unit ap container equipment ' +
    'cluster site fqdn pipeline artifact recipient email entity connection ' +
    'connector plan installation plant point router switch firewall location gateway devname ' +
    'queue table zone room building function station module',
)
/** `organizationName` and others have the same value in all alerts of an account, or name no thing. */
const SHARED = new Set(
  words(
    'user customer account organization organisation org company network tenant profile application ' +
      'class file event alert rule policy metric group region country team sender contact type service ' +
      'integration channel driver first last path as table field parameter check author pusher owner ' +
      'workspace hook webhook template namespace display full condition set alarm incident workflow ' +
      'operation job project repo currency category branch os product model vendor brand manufacturer ' +
      'firmware plugin watch app client state status level mode severity priority',
  ),
)
const OTHER_RANK = 40
/** The object that the name of the event begins with: `server` for `server.crashed`. */
const EVENT_RANK = -1
/** Last words of the name of a machine, whatever stands before them: `device_hostname`. */
const HOSTNAME = /^(?:hostname|fqdn|nodename|nickname)$/
/** Names that all alerts of a program may share: better than none. */
const COMMON = new Set(words('project application app repository workspace'))
const COMMON_RANK = 45
/** What kind of thing it is says more than nothing: `deviceType`. */
const KINDS = /^(?:device|equipment|machine|appliance)$/
const KIND_RANK = 46
const BARE_RANK = 44
/** Words of names of objects that only hold the fields of a thing: `deviceInfo`. */
const VESSEL = new Set(words('info details data meta metadata'))
/** Words of names of objects with a person. */
const PERSON = new Set(
  words('user creator author actor owner assignee reporter committer pusher sender person assigned'),
)
/** Identifiers are used if there is no name. */
const ID_RANK = 50
const NAME_LENGTH_MAX = 60
/** Objects that all events of a sender have, such as the account. */
const SHARED_EVENT = new Set(words('event alert alarm organization account customer user project workspace'))
const PAST = /^(?:old|prev|previous|last|former|from|before)$/
/** Last words of names of fields that say nothing to a reader. */
const DULL = new RegExp(
  '^(?:serial|mac|eui|version|timezone|tz|lat|lon|lng|latitude|longitude|rssi|snr|hash|digest|signature' +
    '|locale|language|country|port|attempts?|sequence|image|thumbnail|path|color|icon|logtype|livemode' +
    '|agent|checksum|addr|payload|raw|uri|expiry|correlation|record|base|tags|offset|timestamp|millis' +
    '|uptime|method)$',
)
/** Codes and addresses of network cards. */
const ENCODED = new RegExp(
  '^(?:application|text|image|multipart|audio|video)/|^[\\da-f]{10,}$' +
    '|^(?=\\S*\\d)[a-z\\d]{18,}$|^(?=\\S*\\d)(?=\\S*[a-z])[\\w+/=-]{16,}$' +
    '|^[\\da-f]{2}(?::[\\da-f]{2}){5}|^\\S{48}',
  'i',
)
/** Longest value that is compared with these forms. */
const VALUE_LENGTH_MAX = 256
const EVENT =
  /(?:event|alert|failure|incident|change|alarm)_?(?:type|name|kind)$|^(?:event|type|topic|action|cause)$/i

function words(list: string): readonly string[] {
  return list.split(' ')
}

/** Whether a field belongs to a further item of a list. */
export function isLater({ keys }: ListedField): boolean {
  return keys.some(key => /^[1-9]\d*$/.test(key))
}

/** The words of the name of a field. A name such as `value` says little without the name above it. */
export function nameOf({ keys }: ListedField): readonly string[] {
  const names = keys.filter(key => !/^\d+$/.test(key))
  const own = tokensOf(english(names.at(-1) ?? ''))
  return own.length > 1 || !/^(?:name|value|id|label|title|text|number)$/.test(own[0] ?? '')
    ? own
    : [...tokensOf(english(names.at(-2) ?? '')), ...own]
}

function english(name: string): string {
  const text = name.slice(0, 64)
  const word = text.toLowerCase()
  const known = inEnglish(word)
  return known === word ? text : known
}

/** Whether a reader may want a field: it is no secret, date, link or code, and nothing of the past. */
export function isTelling(field: ListedField): boolean {
  const text = field.value.slice(0, VALUE_LENGTH_MAX).trim()
  const tokens = nameOf(field)
  return (
    text !== '' &&
    text !== 'false' &&
    !tokens.some(token => PAST.test(token)) &&
    !DULL.test(tokens.at(-1) ?? '') &&
    isWorthTelling(field.keys.at(-1) ?? '', shortNumber(text)) &&
    !isDate(text) &&
    (!ENCODED.test(text) || /^-?[\d.]+$/.test(text))
  )
}

/** The name of a program that all its alerts may share. Empty: there is none. */
export function commonName(fields: readonly ListedField[]): string {
  const found = fields.find(field => rankOf(field) === COMMON_RANK)
  return found === undefined ? '' : cleanLine(found.value)
}

/** The names of things, the closest to the fault first. Identifiers only if there are no names. */
export function namesOfThings(fields: readonly ListedField[]): readonly string[] {
  const isOfEvent = ownerOfEvent(fields)
  const ranked = fields.flatMap(field => {
    const own = rankOf(field)
    const rank = isOfEvent(field) ? EVENT_RANK : own
    if (rank === null || rank === COMMON_RANK) return []
    return [{ text: cleanLine((chosenName(field, fields) ?? field).value), rank }]
  })
  const named = ranked.filter(({ rank }) => rank < ID_RANK)
  const used = (named.length > 0 ? named : ranked).toSorted((one, other) => one.rank - other.rank)
  return [...new Set(used.map(({ text }) => text))]
}

/** The name that a person chose for a thing with a name of a program: `display_name` beside `name`. */
function chosenName(field: ListedField, fields: readonly ListedField[]): ListedField | undefined {
  if (!/^name$/i.test(field.keys.at(-1) ?? '') || field.keys.length < 2) return undefined
  const parent = field.keys.slice(0, -1).join('.')
  return fields.find(
    ({ keys, value }) =>
      /^(?:display|friendly)_?name$|^nickname$/i.test(keys.at(-1) ?? '') &&
      keys.slice(0, -1).join('.') === parent &&
      /\p{L}{2}/u.test(value) &&
      value.length <= NAME_LENGTH_MAX,
  )
}

/** Whether a field names the object that the event is about: `backup.name` for `backup.failed`. */
function ownerOfEvent(fields: readonly ListedField[]): (field: ListedField) => boolean {
  const events = fields.filter(field => isEventName(field) && !isLater(field) && isEventOf(field.value))
  const words = new Set(events.flatMap(({ value }) => tokensOf(value).slice(0, -1)))
  if (words.size === 0) return () => false
  const names = fields.filter(field => {
    const [above = '', name = ''] = field.keys.slice(-2)
    return (
      words.has(tokensOf(above).at(-1) ?? '') &&
      /^(?:name|(?:display|friendly)_?name|label|nickname)$/i.test(name) &&
      !SHARED_EVENT.has(tokensOf(above).at(-1) ?? '') &&
      field.value.length <= NAME_LENGTH_MAX &&
      isReadable(field.value, 'name') &&
      !isLater(field)
    )
  })
  const best = names.find(({ keys }) => !/^name$/i.test(keys.at(-1) ?? '')) ?? names[0]
  return field => field === best
}

/** How far the thing of a field is from the fault. Null: the field names no thing. */
function rankOf(field: ListedField): number | null {
  const { keys, value } = field
  if (value.length > NAME_LENGTH_MAX || !/\p{L}{2}/u.test(value) || isLater(field)) return null
  // `hostnameAndPort`
  const tokens = nameOf(field)
    .join(' ')
    .replace(/ and port$/, '')
    .split(' ')
  const last = tokens.at(-1) ?? ''
  const isName = /^(?:name|identifier|label|id|number)$/.test(last)
  const about = (isName ? tokens.slice(0, -1) : tokens).filter(token => !VESSEL.has(token))
  const thing = about.at(-1) ?? ''
  const isKind = last === 'type' && KINDS.test(tokens.at(-2) ?? '') && /\p{L}{4}/u.test(value)
  const isMailTo = last === 'to' && /^[^@\s]+@[^@\s]+$/.test(value)
  const at = isMailTo
    ? THINGS.indexOf('recipient')
    : Math.max(THINGS.indexOf(thing), THINGS.indexOf(thing.replace(/s$/, '')))
  const isHost =
    (HOSTNAME.test(last) && about.length < 4 && !value.includes(' ')) ||
    /^alarm source$/.test(about.join(' '))
  const isOwn = tokensOf(keys.at(-1) ?? '').length > 1 || about[0] === 'labels'
  const isOther =
    last === 'name' &&
    !thing.endsWith('type') &&
    (isOwn || (about.length === 1 && /^\D+$/.test(keys.at(-2) ?? ''))) &&
    !about.some(token => SHARED.has(token))
  // The only word is `name`: of the alert, or of the thing.
  const isBare = keys.length === 1 && /^name$/i.test(keys[0] ?? '') && !/[._]|webhook/i.test(value)
  const isKnown = at >= 0 && (isName || isMailTo || (about.length === 1 && about[0] !== 'resource'))
  const isCommon =
    !isKnown &&
    !isOther &&
    COMMON.has(thing) &&
    (isName || about.length === 1) &&
    !/:|\/.*\/|\s\//.test(value)
  if (
    (!isKnown && !isOther && !isCommon && !isHost && !isKind && !isBare) ||
    isOfPerson(field) ||
    about.some(token => PAST.test(token) || token === 'notification') ||
    !isReadable(value, last)
  )
    return null
  if (isKind) return KIND_RANK
  if (isBare) return BARE_RANK
  if (isCommon) return COMMON_RANK
  if (isHost && !isKnown) return THINGS.indexOf('hostname')
  return isKnown ? at + (last === 'id' ? ID_RANK : 0) : OTHER_RANK
}

/** Whether a field tells of a person, who is no thing. */
export function isOfPerson({ keys }: ListedField): boolean {
  return keys.slice(-2).some(key => tokensOf(key.slice(0, 64)).some(token => PERSON.has(token)))
}

function isReadable(value: string, last: string): boolean {
  const text = value.trim()
  if (/^[\w-]+\/v?\d[\d.]*$/.test(text)) return false
  const state = readState(text)
  if (isIdentifier(text) || isDate(text) || (state !== null && !text.includes(' '))) return false
  const isChosen = READABLE.test(text) && /[a-z]{4}|[A-Z]{4}.*-|-[A-Z]{4}/.test(text)
  return isChosen || (last !== 'id' && !ENCODED.test(text))
}

/** Whether a field has the name of an event. */
export function isEventName({ keys }: ListedField): boolean {
  return EVENT.test(keys.at(-1) ?? '')
}

/** Names that a sender gives to all that it sends, and names of events: `device_status_change`. */
const NO_THING = new RegExp(
  '^(?:alarms?|alerts?|events?|notifications?|audits?|incidents?|monitoring|webhooks?)$' +
    '|^[a-z]+(?:[_.:-][a-z]+)*[_.:-](?:changed?|events?|alerts?|updated?|created?|notification|triggered)$',
)

/** The name of an event of a program, which ends with what happened: `shop/function.failed`. */
const EVENT_OF = /^[a-z][\w-]*(?:[./: ][\w-]+){1,4}$|^[a-z][a-z\d]*[_-][\w-]+$/i
const EVENT_LENGTH_MAX = 80

function isEventOf(value: string): boolean {
  return value.length <= EVENT_LENGTH_MAX && EVENT_OF.test(value)
}

/** Whether a name may be that of a thing. */
export function namesThing(label: string): boolean {
  const isEvent = /^[a-z][\w-]*(?:[./:][a-z][\w-]*)+$/.test(label) && readState(label)?.kind === 'bad'
  return !isEvent && !NO_THING.test(label)
}
