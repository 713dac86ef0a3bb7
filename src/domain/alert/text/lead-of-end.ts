/*
 * How texts begin that say a problem is over, with a word for the problem (`Alarm cleared: `,
 * `INC-77 closed: `) or in other languages (`Störung behoben: `). `_` stands for a space, `*` for letters.
 */
const NOUNS =
  'alarm alert alerta alerte allarme авария awaria avaria event fault fehler feil fejl fel guasto hiba ' +
  'incident incidencia incidente issue larm panne problem problema problème probleem problém проблема ' +
  'service serviço servicio servizio služba sorun storing störung stoerung'
const ENGLISH_ENDS = 'cleared closed resolved recovered over'
const FOREIGN_ENDS =
  'entwarnung behoben gelöst retour_à_la_normale résolu résolue recuperado recuperada resuelto ' +
  'resuelta solucionado ripristinato ripristinata rientrato risolto risolta opgelost hersteld verholpen ' +
  'resolvido resolvida restabelecido rozwiązano vyřešeno vyřešen obnovena obnoveno решена ' +
  'устранена çözüldü löst återställt åtgärdat udbedret 復旧しました gegangen alarmende ende_alarm fin_alarma ' +
  'zakończony zakończone opgeheven restablecida restablecido rientro_allarme fin_de_alarma fin_alarme ' +
  "fin_d'alarme fin_d'alerte fine_allarme fim_de_alarme einde_alarm konec_alarmu " +
  'koniec_alarmu'
/** What leaves it in doubt whether all is over, in the languages of `FOREIGN_ENDS`. */
const DOUBTS =
  'aber außer bis falls kein* nein nicht noch nur sobald teil* weiter* wenn encore mais non partiel* ' +
  'pas sauf si seulement aún excepto parcial* pero salvo solo sólo todavía ancora ma parzial* però ' +
  'alleen behalve deels gedeeltelijk maar nee niet nog slechts apenas ainda mas não exceto ale ' +
  'częściow* jeszcze nie oprócz tylko částečn* ještě jen kromě ne pouze ещё кроме не нет но только ' +
  'частичн* ama hariç hayır hâlâ kısmen sadece bara delvis ej fortfarande fortsatt ikke inte kun men ' +
  'nej nei stadig undtagen utom no not but ' +
  'bleib* erneut persist* toujours reste* resta rimane blijft opnieuw nadal ponownie ' +
  'znowu остаётся stále znovu continua sigue queda* devam kvarstår igen'

const TITLE_LENGTH_MAX = 200
const FOREIGN = new RegExp(
  `^(?:(?:${oneOf(NOUNS)}) )?(?:${oneOf(FOREIGN_ENDS)})(?: (?:nach|après|dopo|tras|na|po) [^:]{1,20})?(?:\\s?:| -)\\s+(?=\\S)`,
  'iu',
)
const ENGLISH = new RegExp(
  `^(?:(?:${oneOf(NOUNS)}|[a-z]{2,8}-\\d{1,9}) (?:${oneOf(ENGLISH_ENDS)})|all clear|back to normal` +
    '|(?:[\\w.-]{1,30} ){1,2}(?:monitoring|alert|alarm|incident) (?:cleared|resolved|recovered))' +
    ':\\s+(?!(?:false|no|not|none)\\b)(?=\\S)',
  'iu',
)
const DOUBT = new RegExp(`(?<!\\p{L})(?:${oneOf(DOUBTS)})(?!\\p{L})`, 'iu')
/** Where another sentence may begin, which these rules cannot read. */
const MORE = /[.!?;,]\s|\s[-/|\u2013\u2014]\s|->|\?$/u

function oneOf(words: string): string {
  return words.replaceAll('*', '\\p{L}*').split(' ').join('|').replaceAll('_', ' ')
}

/** What takes back that something is over, in a title. */
const NOT_OVER =
  /\b(?:not?|none|never|cannot|could|any|all|few|half|only|some|partly|but|again)\b|n't\b|[,;?]/i
/** Titles that say that a problem is over, whatever problem they name. */
const END_FIRST: readonly RegExp[] = [
  // `Monitoring alarm cleared on nas: low battery`
  /^(?:\p{L}{2,14} ){0,3}(?:alarm|alert|incident|problem|issue) (?:has been |was |is )?(?:cleared|resolved|recovered) (?:on|for|at) (?=\S)/iu,
  // `Device sw recovered from Device down`, `ram_in_use on db recovered`
  /^(?:[\w./:-]+ ){1,6}(?:has )?recovered(?: from \S.*|[.!]?)$/i,
  // `srv/Filesystem D: CRIT -> OK`
  /\b(?:CRIT(?:ICAL)?|WARN(?:ING)?|UNKN(?:OWN)?|DOWN|UNREACHABLE|ALARM) ?(?:->|=>|\u2192) ?(?:OK|UP)$/,
  /^(?:Monitor is UP: \S|UP alert: \S.* is UP$)/,
]

/** Whether a title says first of all that a problem is over. */
export function isEndFirst(title: string): boolean {
  if (title.length > TITLE_LENGTH_MAX) return false
  return END_FIRST.some(end => end.test(title)) && !NOT_OVER.test(title.replace(/ recovered from .*$/i, ''))
}

const END_WORD = new RegExp(`^(?:${oneOf(FOREIGN_ENDS)}|恢复|已恢复|恢复正常|復旧|回復|障害復旧)$`, 'iu')

/** Whether the value of a state says in another language that a problem is over: `behoben`. */
export function isEndWord(value: string): boolean {
  return END_WORD.test(value.trim())
}

/** The words before a text that say that a problem is over. Empty: there are none. */
export function leadOfEnd(line: string): string {
  return (ENGLISH.exec(line) ?? FOREIGN.exec(line))?.[0] ?? ''
}

/** Whether a line begins in another language with words that say that a problem is over. */
export function isEndAbroad(line: string): boolean {
  return FOREIGN.test(line)
}

/** Whether such a line says nothing that may be about another problem. */
export function isOverAbroad(line: string): boolean {
  const [lead = ''] = FOREIGN.exec(line) ?? []
  const rest = line.slice(lead.length).trim()
  return (
    lead !== '' && !MORE.test(rest) && !DOUBT.test(rest) && !/\d+ (?:von|of|de|di|van|z|из|av) \d/u.test(rest)
  )
}
