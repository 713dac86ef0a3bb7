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
  'устранена çözüldü löst återställt åtgärdat udbedret 復旧しました'
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

const FOREIGN = new RegExp(`^(?:(?:${oneOf(NOUNS)}) )?(?:${oneOf(FOREIGN_ENDS)})\\s?:\\s+(?=\\S)`, 'iu')
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
