/** A list of names in normal form, from one text. */
export function words(names: string): readonly string[] {
  return names.split(' ')
}

/** Keys that wrap an alert or a part of it. Other objects (an actor, a link, a rule) are not looked into. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  (
    'data payload event alert alerts incident attributes object detail check essentials message ' +
    'result site snitch item service properties context resource state trigger fields run ' +
    'workflow execution error after extra incidentupdates alertgroup notifications alertpayload ' +
    'alertcontext condition allof component newstate'
  ).split(' '),
)

/** What an object is called. */
export const LABELS = words('name message summary')
/** Where an object says its state. */
export const STATE_NAMES = words('value text status summary')

/*
 * Names of fields in normal form (lower case, no signs), best first. Of two fields that could be the title,
 * the more telling name wins, wherever it stands. These are for bodies that no sender of `senders/` knows:
 * the names of a known sender stand in its file. A test fails for a name that no body of the corpus needs;
 * the name of that body says who sends it.
 */
export const TITLES = words(
  'title subject alertname alarmname alertrule checkname conditionname triggername ' +
    'alerttitle eventtitle descriptiontitle searchname alertsubject alarm alert incident headline',
)
/** Names of things: enough for a text with a state or a message beside them, not alone. */
export const THINGS = words(
  'servicename service sensor rule involvedobject policyname name displayname friendlyname job ' +
    'task workflow entitydisplayname device camera container containername applicationname ' +
    'project repository workspacename image topic category label site domain backupname zone',
)
export const TEXTS = words(
  'message text msg body description summary output newstatereason reason exception content ' +
    'details detail info value descriptiontext eventmsg alerttext additionalinfo payload label',
)
export const STATES = words(
  'newstatevalue monitorcondition state status result alerttransition alerttype ' +
    'messagetype eventaction event type phase checkstatename parsedresult',
)
/** Flags that, when set, say that it is one. */
export const ALARMS = words('alarm alert')
/** What senders call the name of an event. */
export const EVENTS = words('event eventtype type')
/** Fields whose value may be any short word. */
export const CONDITIONS = words('state')
/** When it began and when it was over, where no span is given. */
export const SPAN_BEGINNINGS = words('startedat fireddatetime createdat')
export const SPAN_ENDS = words('endedat resolveddatetime closedat occurredat')
/** How bad, in words. */
export const RANKS = words('severity level problemseverity triggerseverity impact')
/** How urgent a sender of messages holds them: only the worst of it says something about the thing. */
export const URGENCIES = words('priority')
export const HOSTS = words(
  'hostname host node nodename server instance resourcedisplayname entity device impactedentity ' +
    'impactedentities affectedresources site channelname',
)
/** Machines: worth a word beside any message. */
export const SERVERS = words('hostname servername')
/** Ends of names, where no name of the lists above is there; and what a value must then look like. */
export const TITLE_ENDING = /(?:title|subject|headline|alertname|alarmname)$/
export const TEXT_ENDING = /(?:message|reason|description|summary|output|error)$/
export const STATE_ENDING = /(?:status|state|severity)$/
export const PROSE = /^(?=[\s\S]*\p{L}{2})[\s\S]*\s/u
/** More about what a message says, where there is no title. */
export const REASONS = words('description details error')
/** A thing that an alert with a title of its own is about. */
export const SUBJECTS = words('service')
/** What was measured, said after the reason. */
export const VALUES = words('valuestring')
export const SPANS = words('elapsed duration')
