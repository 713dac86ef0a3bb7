import { cleanLine, linesOf } from '#domain/webhook/clean-text.ts'
import { type Report, says } from '#domain/webhook/compose-report.ts'
import { digestPairs } from '#domain/webhook/digest-fields.ts'
import { findLabel, findRaw, findStates, type Scopes } from '#domain/webhook/find-fields.ts'
import { type Headline, readHeadline, stateShown } from '#domain/webhook/headline.ts'
import type { Json } from '#domain/webhook/json-value.ts'
import { failedRows } from '#domain/webhook/read-table.ts'
import { chooseState, readState, type State } from '#domain/webhook/state-words.ts'
import { readSpan } from '#domain/webhook/time-span.ts'

/*
 * Field names in normal form (lower case, no signs), best first. The order is the rule: of two fields that could
 * be the title, the more telling name wins, wherever it stands.
 */
const TITLES = words(
  'title subject headline problemname alertname alarmname eventdefinitiontitle alertrule rulename monitorname ' +
    'checkname conditionname triggername alerttitle eventtitle incidenttitle issuetitle',
)
/** Names of things: enough for a text with a state or a message beside them, not alone. */
const THINGS = words(
  'servicedescription servicedesc servicedisplayname servicename service check monitor sensor sensorname alert rule ' +
    'alarm policyname name displayname friendlyname objectname jobname job task taskname workflow pipeline ' +
    'devicename device camera cameraname container containername app application appname project repository ' +
    'event eventname image topic category plugin site target url',
)
const TEXTS = words(
  'message text msg body longmessage description desc longdescription summary output serviceoutput hostoutput ' +
    'newstatereason reason cause content details detail error errormessage info information comment value ' +
    'eventmsg alertmessage statusmessage additionalinfo note data payload',
)
const STATES = words(
  'newstatevalue currentstate newstate alertstate alertstatus monitorstatus checkstatus servicestate servicestatus ' +
    'hoststate hoststatus incidentstate monitorcondition state status currentstatus newstatus eventstatus ' +
    'problemstatus result outcome conclusion health transition alerttransition alerttype alerttypefriendlyname ' +
    'notificationtype eventtype eventaction event action hook type kind phase trigger',
)
/** How bad, in words. */
const RANKS = words(
  'severity level eventseverity problemseverity triggerseverity alertseverity loglevel severitylevel criticality ' +
    'severityname levelname',
)
/** How urgent a sender of messages holds them: only the worst of it says something about the thing. */
const URGENCIES = words('priority urgency importance')
const HOSTS = words(
  'hostname host hostdisplayname hostalias node nodename servername server instance machine agent ' +
    'agentname computer computername system resourcedisplayname resourcename',
)
/** What was measured, said after the reason. */
const VALUES = words('operationaldata opdata lastvalue')
const SPANS = words(
  'friendlyduration alertfriendlyduration downtime problemduration eventduration outageduration duration',
)

export function words(names: string): readonly string[] {
  return names.split(' ')
}

/** States of all fields that may hold one, best first. */
export function statesOf(scopes: Scopes): readonly State[] {
  return [
    ...findStates(scopes, STATES),
    ...findStates(scopes, RANKS).filter(state => state.kind !== 'weak'),
    ...findStates(scopes, URGENCIES).filter(state => state.kind === 'bad'),
  ]
}

/** A title, a message, or a thing with a state: what most senders have. `null` when none of it is there. */
export function describeGeneric(value: Json, scopes: Scopes): Report | null {
  const textRaw = findRaw(scopes, TEXTS)
  const strong = findLabel(scopes, TITLES)
  const thing = strong === '' ? findLabel(scopes, THINGS) : ''
  const rawTitle = strong === '' ? thing : findRaw(scopes, TITLES)
  const title = readHeadline(strong === '' ? thing : strong)
  const rows = failedRows(textRaw)
  const lines = rows ?? linesOf(textRaw)
  const lead = readHeadline(lines[0] ?? '')
  const state = decideState(statesOf(scopes), [title, lead], [rawTitle, textRaw])
  if (strong === '' && lines.length === 0 && (thing === '' || state === null)) return null
  const summary = rewordLines(lines, lead, state)
  const host = findLabel(scopes, HOSTS)
  const span = title.span || lead.span || readSpan(cleanLine(findRaw(scopes, SPANS)))
  const detail = state?.kind === 'good' && span !== '' ? [`after ${span}`] : []
  const what = summary.length === 0 && state !== null ? onHost(title.text, host) : title.text
  detail.push(cleanLine(findRaw(scopes, VALUES)).replace(/[()]/g, ''))
  if (summary.length === 0 && strong === '')
    detail.push(digestPairs(value, [thing, host, state?.word ?? '']).join(' '))
  const rank = state?.kind === 'weak' ? otherRank(scopes) : ''
  const plain = state === null || state.kind === 'quiet' ? '' : state.word
  const word = what === '' && lead.sign !== '' && lead.state === state ? plain + lead.sign : plain
  if (rank !== '') return { state: word, what: rank, summary: [onHost(title.text, host), ...summary], detail }
  return {
    state: word,
    what,
    summary,
    detail: summary.length > 0 && word !== '' ? [...detail, host] : detail,
  }
}

function onHost(title: string, host: string): string {
  return host === '' || title === '' || says(title, host) ? title : `${title} on ${host}`
}

/** Fields first, then what the texts state, then what they tell in words or show by an emoji. */
export function decideState(
  fields: readonly State[],
  headlines: readonly Headline[],
  raw: readonly string[],
): State | null {
  const stated = headlines.flatMap(line => (line.stated && line.state !== null ? [line.state] : []))
  const told = headlines.flatMap(line => (line.state === null ? [] : [line.state]))
  const test = told.find(state => state.kind === 'test')
  const explicit = chooseState([...fields, ...stated])
  if (explicit?.kind === 'test' || (test !== undefined && explicit?.kind !== 'bad')) return test ?? explicit
  if (explicit !== null && explicit.kind !== 'quiet') return explicit
  const shown = raw.flatMap(text => stateShown(text.split('\n')[0] ?? '') ?? [])
  return chooseState(told) ?? shown[0] ?? explicit
}

/** The message's lines without what the state already says. */
function rewordLines(lines: readonly string[], lead: Headline, state: State | null): readonly string[] {
  if (lines.length === 0) return []
  const first =
    state === null ? lead.text : tellReason(lead.stated ? lead.text : (lines[0] ?? ''), state.word)
  return [first, ...lines.slice(1)].map(line => line.replace(/^- /, ''))
}

/** "nas disk is critical, 96 % used" after CRITICAL: the name and the reason. */
function tellReason(line: string, word: string): string {
  const middle = ` is ${word.toLowerCase()}, `
  const at = line.toLowerCase().indexOf(middle)
  return at < 1 ? line : `${line.slice(0, at)}: ${line.slice(at + middle.length)}`
}

/** A severity outside the vocabulary of states, such as High or Average: said after the state. */
function otherRank(scopes: Scopes): string {
  const rank = cleanLine(findRaw(scopes, RANKS))
  const state = readState(rank)
  const plain = /^[\p{L}][\p{L} ]{1,19}$/u.test(rank)
  return plain && (state === null || state.kind === 'weak') ? rank : ''
}
