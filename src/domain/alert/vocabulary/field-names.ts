/** Splits a text into a list of normalized names. */
export function words(names: string): readonly string[] {
  return names.split(' ')
}

/** Keys of objects that contain an alert or a part of it. Other objects (an actor, a link) are not read. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  (
    'data payload event alert incident attributes object check essentials message ' +
    'site snitch service properties context resource trigger run ' +
    'execution error after extra details alertgroup notifications ' +
    'alertcontext condition allof component newstate ticket issue msg'
  ).split(' '),
)

/** Fields of an object in which its name is looked up. */
export const LABELS = words('name label message summary')
/** Fields of a state object in which the word of the state is looked up. */
export const STATE_WORD_FIELDS = words('text status summary name')

/*
 * Normalized field names (lower-case letters and digits only), the best first. If a body has two fields of
 * one list, the field that is first in the list is used. These lists are for bodies that no file in
 * `senders/` knows; the field names of a known sender belong in its file. A test checks that a body of the
 * corpus needs each name.
 */
export const TITLES = words(
  'title subject alertname alarmname alertrule checkname conditionname triggername ' +
    'alertsubject alarm alert incident headline signature',
)
/** Fields with the name of a thing. Such a name alone makes no text: it also needs a state or a message. */
export const THINGS = words(
  'servicename service check sensor rule involvedobject policyname name displayname friendlyname job ' +
    'workflow entitydisplayname device camera containername app ' +
    'project repository workspacename image topic category label site domain zone',
)
export const TEXTS = words(
  'message text msg body description summary output newstatereason content ' +
    'detail info value eventmsg alerttext payload label humanreadable',
)
export const STATE_FIELDS = words(
  'newstatevalue currentstate monitorcondition state status alerttransition alerttype ' +
    'messagetype eventaction event type actiongroup',
)
/** Flags: when one is true, the body is an alarm. */
export const ALARMS = words('alarm alert')
/** Fields with the name of an event. */
export const EVENTS = words('event eventtype type')
/** Fields whose value may be any short word, such as `on`. */
export const CONDITIONS = words('state')
/** Fields with the start and the end, for bodies without a duration. */
export const SPAN_BEGINNINGS = words('startedat fireddatetime createdat')
export const SPAN_ENDS = words('endedat resolveddatetime closedat occurredat')
/** Fields that say in words how bad the alert is. */
export const RANKS = words('severity level problemseverity triggerseverity impact')
/** Fields with the urgency of a message. Only a high one says something about the alert. */
export const URGENCIES = words('priority')
export const HOSTS = words(
  'hostname hostnames host node instance entity device impactedentity ' +
    'impactedentities affectedresources configurationitems site channelname',
)
/** Endings of field names, for bodies without a name of the lists above. */
export const TITLE_ENDING = /(?:title|subject|headline|alertname|alarmname)$/
export const TEXT_ENDING =
  /(?:message|reason|description|summary|output|error|(?:status|message|alarm|fault|error)text|content)$/
export const STATE_ENDING = /(?:(?:status|state)(?:name|text|string|label)?|severity)$/
export const RANK_ENDING = /(?:severity(?:string|name|label|text|level)?|priority)$/
/** A text of several words. */
export const PROSE = /^(?=[\s\S]*\p{L}{2})[\s\S]*\s/u
/** Fields with details of a message that has no title. */
export const REASONS = words('description details')
/** Fields with the thing that a titled alert is about. */
export const SUBJECTS = words('service')
/** Fields with what was measured; shown after the reason. */
export const VALUES = words('valuestring')
/** Fields with the exit status of a program. */
export const EXITS = words('exitcode exitstatus')
export const SPANS = words('elapsed duration')
