import {
  findEnding,
  findRaw,
  findStates,
  findToldStates,
  type Scopes,
  words,
} from '#domain/alert/read/find-fields.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { type Headline, stateShown } from '#domain/alert/text/headline.ts'
import { chooseState, readState, type State } from '#domain/alert/vocabulary/states.ts'

/*
 * Field names in normal form (lower case, no signs), best first. The order is the rule: of two fields that
 * could be the title, the more telling name wins, wherever it stands.
 */
export const TITLES = words(
  'title subject problemname alertname alarmname eventdefinitiontitle alertrule rulename monitorname ' +
    'monitorfriendlyname checkname conditionname triggername alerttitle eventtitle ' +
    'incidenttitle issuetitle ' +
    'descriptiontitle searchname alertsubject problem alarm alert incident headline detailtype',
)
/** Names of things: enough for a text with a state or a message beside them, not alone. */
export const THINGS = words(
  'servicedescription servicedesc servicedisplayname servicename service check monitor sensor ' +
    'sensorname rule ' +
    'involvedobject policyname name displayname friendlyname objectname jobname job task ' +
    'taskname workflow pipeline ' +
    'entitydisplayname devicename device camera cameraname container containername app application ' +
    'applicationname appname project repository workspacename ' +
    'image topic category plugin label site target domain endpoint backupname zone room area location',
)
export const TEXTS = words(
  'message text msg body longmessage description desc longdescription summary output ' +
    'serviceoutput hostoutput ' +
    'newstatereason reason cause exception content details detail error errormessage info ' +
    'information comment value ' +
    'alertdetails descriptiontext triggerdescription eventdescription eventmsg alertmessage ' +
    'alerttext statusmessage ' +
    'additionalinfo note data payload label',
)
export const STATES = words(
  'newstatevalue currentstate newstate alertstate alertstatus monitorstatus checkstatus ' +
    'servicestate servicestatus ' +
    'hoststate hoststatus incidentstate monitorcondition state status currentstatus newstatus eventstatus ' +
    'problemstatus result outcome conclusion health transition alerttransition alerttype ' +
    'alerttypefriendlyname ' +
    'notificationtype messagetype eventtype eventaction event hook type kind phase trigger checkstatename ' +
    'parsedresult mainresult',
)
/** Flags that, when set, say that it is one. */
const ALARMS = words('alarm alert alarmactive triggered')
/** What senders call the name of an event. */
export const EVENTS = words('event eventname eventtype notificationtype type eventaction hook')
/** Fields whose value may be any short word. */
export const CONDITIONS = words('newstate state status')
/** When it began and when it was over, where no span is given. */
export const SPAN_BEGINNINGS = words('startedat startsat fireddatetime openedat triggeredat createdat')
export const SPAN_ENDS = words('resolvedat endedat endsat resolveddatetime closedat occurredat')
/** How bad, in words. */
export const RANKS = words(
  'severity level eventseverity problemseverity triggerseverity alertseverity loglevel ' +
    'severitylevel criticality ' +
    'severityname levelname impact',
)
/** How urgent a sender of messages holds them: only the worst of it says something about the thing. */
export const URGENCIES = words('priority urgency importance')
export const HOSTS = words(
  'hostname host hostdisplayname hostalias node nodename servername server instance machine agent ' +
    'agentname computer computername system resourcedisplayname resourcename entity device ' +
    'devicename impactedentity impactedentities affectedresources site installation channelname',
)
/** Machines: worth a word beside any message. */
export const SERVERS = words('hostname servername nodename server')
/** Ends of names, where no name of the lists above is there; and what a value must then look like. */
export const TITLE_ENDING = /(?:title|subject|headline|alertname|alarmname)$/
export const TEXT_ENDING = /(?:message|reason|description|summary|output|error)$/
const STATE_ENDING = /(?:status|state|severity)$/
export const PROSE = /^(?=[\s\S]*\p{L}{2})[\s\S]*\s/u
/** More about what a message says, where there is no title. */
export const REASONS = words('description details longdescription reason errormessage error exception')
/** Things that an alert with a title of its own is about. */
export const SUBJECTS = words('monitor monitorname servicename service check sensor resource')
/** What was measured, said after the reason. */
export const VALUES = words('operationaldata opdata eventopdata lastvalue valuestring currentvalue')
export const SPANS = words(
  'elapsed timeelapsed elapsedtime friendlyduration alertfriendlyduration downtime ' +
    'problemduration eventduration outageduration duration',
)

/** States by where they come from: what became of the thing, and how bad it is held to be. */
export interface FieldStates {
  readonly status: readonly State[]
  readonly rank: readonly State[]
}

export function fieldStates(scopes: Scopes): FieldStates {
  // The verdict on what was checked counts, not that the check itself was done.
  const verdict = findStates(scopes, ['qualitygate'])
  if (verdict.length > 0) return { status: verdict, rank: [] }
  const isService = scopes.some(scope => scope.has('servicestate') || scope.has('servicestatus'))
  const names = isService ? STATES.filter(name => !name.startsWith('host')) : STATES
  // Zabbix numbers the value of an event: 0 is a recovery.
  const isOver =
    findRaw(scopes, ['eventvalue']) === '0' || scopes.some(scope => scope.get('resolved') === true)
  const over = isOver ? readState('resolved') : null
  // What a monitor does when it alerts is no state: "Action: alert".
  const actions = findStates(scopes, ['action']).filter(state => state.word !== 'ALERT')
  const status = [...findStates(scopes, names), ...actions]
  const urgent = findStates(scopes, URGENCIES).filter(state => state.kind === 'bad')
  const ranks = findStates(scopes, [...RANKS, 'alarm']).filter(
    state => state.word === 'HIGH' || (state.kind !== 'weak' && state.kind !== 'other'),
  )
  if (![...status, ...ranks].some(state => state.kind === 'bad' || state.kind === 'good')) {
    const ending = readState(findEnding(scopes, STATE_ENDING, /\p{L}/u))
    if (ending !== null && status.length + ranks.length === 0 && isTelling(ending)) status.push(ending)
    status.push(...findToldStates(scopes, EVENTS).filter(isTelling))
    const isAlarm = scopes.some(scope => ALARMS.some(name => scope.get(name) === true))
    if (isAlarm) status.push(...[readState('alarm')].filter(state => state !== null))
  }
  // What a monitor tells of its own work goes before the state of the thing: "DOWNTIMESTART", up.
  const notice = findStates(scopes, ['notificationtype']).filter(state => NOTICES.has(state.word))
  return { status: [...(over === null ? [] : [over]), ...notice, ...status], rank: [...ranks, ...urgent] }
}

function isTelling(state: State): boolean {
  return state.kind !== 'other' && state.kind !== 'quiet'
}

const NOTICES: ReadonlySet<string> = new Set(['MAINTENANCE', 'ACKNOWLEDGED', 'FLAPPING'])

/**
 * The state that a text begins with. A test before all; then fields and what the texts state; then what
 * they tell in words; then what an emoji shows. That it is over, told in words, counts more than a severity.
 */
export function decideState(
  fields: FieldStates,
  headlines: readonly Headline[],
  raw: readonly string[],
): State | null {
  const stated = headlines.flatMap(line => (line.stated && line.state !== null ? [line.state] : []))
  const told = headlines.flatMap(line => (line.state === null ? [] : [line.state]))
  const status = chooseState([...fields.status, ...stated])
  const isOpen = status === null || status.kind === 'weak' || status.kind === 'quiet'
  const test = told.find(state => state.kind === 'test')
  if (test !== undefined && status?.kind !== 'bad') return test
  const over = told.find(state => state.kind === 'good' && state.word !== 'UP')
  if (over !== undefined && isOpen) return over
  const explicit = chooseState([...fields.status, ...stated, ...fields.rank])
  if (explicit !== null && explicit.kind !== 'quiet') return explicit
  const shown = raw.flatMap(text => stateShown(text.split('\n')[0] ?? '') ?? [])
  return chooseState(told) ?? shown[0] ?? explicit
}

/** A severity outside the vocabulary of states, such as High or Average: said after the state. */
export function otherRank(scopes: Scopes): string {
  const rank = cleanLine(findRaw(scopes, RANKS))
  const state = readState(rank)
  const isPlain = /^[\p{L}][\p{L} ]{1,19}$/u.test(rank)
  return isPlain && (state === null || state.word === 'HIGH') ? rank : ''
}

/** An error is one even where no field says so. */
export function errorState(scopes: Scopes): State | null {
  const keys = ['error', 'errormessage', 'exception']
  const hasError = scopes.some(scope =>
    keys.some(key => (scope.get(key) ?? '') !== '' && scope.get(key) !== false),
  )
  return hasError ? readState('error') : null
}
