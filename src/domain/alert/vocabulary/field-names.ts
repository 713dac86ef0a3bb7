/** A list of names in normal form. */
function words(names: string): readonly string[] {
  return names.split(' ')
}

/** Keys that wrap an alert or a part of it. Other objects (an actor, a link, a rule) are not looked into. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  (
    'data payload event alert alerts incident attributes object objectattributes notification content body ' +
    'details detail issue check monitor essentials heartbeat params parameters alarm problem ' +
    'message msg result ' +
    'site snitch task job item report record embed embeds attachments sections service ' +
    'summary properties ' +
    'alertdata notificationdata context resource host state trigger fields run ' +
    'healthcheck workflow execution deployment error after extra incidentupdates alertgroup ' +
    'notifications alertpayload alertcontext condition allof component componentupdate newstate tostate'
  ).split(' '),
)

/** What an object is called. */
export const LABELS = words(
  'name displayname fullname friendlyname title label hostname host message summary description',
)
/** Where an object says its state. */
export const STATE_NAMES = words('value text state status name summary')

/*
 * Field names in normal form (lower case, no signs), best first. Of two fields that could
 * be the title, the more telling name wins, wherever it stands. A test fails for a name that no body of the
 * corpus needs.
 */
export const TITLES = words(
  'title subject problemname alertname alarmname eventdefinitiontitle alertrule rulename monitorname ' +
    'monitorfriendlyname checkname conditionname triggername alerttitle eventtitle ' +
    'incidenttitle issuetitle ' +
    'descriptiontitle searchname alertsubject problem alarm alert incident headline',
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
export const ALARMS = words('alarm alert alarmactive triggered')
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
export const STATE_ENDING = /(?:status|state|severity)$/
export const PROSE = /^(?=[\s\S]*\p{L}{2})[\s\S]*\s/u
/** More about what a message says, where there is no title. */
export const REASONS = words('description details longdescription reason errormessage error exception')
/** A thing that an alert with a title of its own is about. */
export const SUBJECTS = words('service')
/** What was measured, said after the reason. */
export const VALUES = words('operationaldata opdata eventopdata lastvalue valuestring currentvalue')
export const SPANS = words(
  'elapsed timeelapsed elapsedtime friendlyduration alertfriendlyduration downtime ' +
    'problemduration eventduration outageduration duration',
)
