import { isFaultLine } from '#domain/alert/text/fault-line.ts'
import { hasFault } from '#domain/alert/text/fault-words.ts'
import { stateInSentence } from '#domain/alert/text/headline.ts'

/*
 * What a letter has around what it says, in the languages of senders: the salutation, the end with the name
 * of the sender, and the notes below it. `_` stands for a space, `*` for any letters.
 */
const GREETINGS =
  'hello hi hey dear howdy greetings good_news gute_nachrichten bonne_nouvelle buenas_noticias ' +
  'good_morning good_afternoon good_evening hallo guten_tag ' +
  'guten_morgen guten_abend moin servus grüezi sehr_geehrte* liebe lieber bonjour bonsoir cher chers ' +
  'chère madame monsieur ' +
  'hola buenos_días buenas_tardes estimad* gentile spett.le spettabile salve buongiorno ciao ' +
  'egregi* beste geachte goedemorgen goedemiddag goedendag witaj witamy szanown* dzień_dobry cześć olá ' +
  'prezad* bom_dia boa_tarde caro cara hej hei god_dag kära kære dobrý_den vážen* ahoj здравствуйте ' +
  'уважаем* добрый_день merhaba sayın'
const ENDS =
  '(?:with_)?(?:(?:best|kind|kindest|warm)_)?regards (?:many_)?thanks thank_you ' +
  'danke merci gracias grazie bedankt obrigad[oa] tack dziękujemy cheers bye ' +
  '(?:yours_)?(?:sincerely|faithfully|truly) mfg ' +
  '(?:mit_)?(?:freundliche|beste|herzliche|liebe)[nm]?_gr[uü](?:ß|ss)e?n? ' +
  'viele_grüße schöne_grüße (?:bien_)?cordialement (?:sincères_)?salutations bien_à_vous ' +
  '(?:un_)?(?:cordial_)?saludos?(?:_cordial(?:es)?)? atentamente cordialmente (?:cordiali|distinti)_saluti ' +
  '(?:met_)?(?:vriendelijke|hartelijke)_groet(?:en)? hoogachtend pozdrawiam* z_poważaniem atenciosamente ' +
  'cumprimentos med_vänliga?_hälsning(?:ar)? (?:med_)?ven(?:lig|nlig)_hilsen s_pozdravem с_уважением 以上 敬具'

function oneOf(words: string): string {
  return words
    .replaceAll('.', '\\.')
    .replace(/(?<!\))\*/g, '\\p{L}*')
    .split(' ')
    .join('|')
    .replaceAll('_', ' ')
}

/** A greeting alone, or one with a name and a sign at its end. */
const GREETING = new RegExp(
  `^(?:${oneOf(GREETINGS)})(?:[,!.:]?|,?(?: [^\\s:;!?,\\d]{1,24}){1,5}[,!:])$`,
  'iu',
)
/** A greeting and a name without a sign at its end. */
const CALL = /^(?:Hello|Hi|Hey|Hallo|Hoi|Hola|Ciao|Salut|Hej) \p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?$/u
/** In any other language: a first line of few words that ends with a comma. */
const SALUTATION = /^\p{L}[\p{L}'.-]*(?: [\p{L}'.-]+){0,4},$/u
/** Words that end a letter, perhaps with the name of the sender. */
const SIGN_OFF = new RegExp(
  `^(?:${oneOf(ENDS)})(?:[,.!、。]?|[,.! ] ?(?:\\S+ ){0,4}\\S+)$|^your faithful employee[,.!]?$` +
    '|^(?:the|your|ihre?|dein|das|votre|il|het) (?:[\\p{L}\\d.-]+ ){0,4}[\\p{L}-]*(?:team|portal)$' +
    "|^(?:l'équipe|el equipo de|zespół|(?:a )?equipe) (?:\\S+ ){0,4}\\S+$",
  'iu',
)
/** A line that ends a letter in any language stands above a name, in the last lines. */
const END_LINE = /^\p{L}[\p{L}' ]{2,40},$/u
const NAME_LINE = /^(?:[\p{L}\d.&-]+ ){0,4}[\p{L}\d.&-]+$/u
const NAME_LINES_MAX = 2
/** The salutation may stand below a banner. */
const GREETING_LINES = 4

/** The lines of a letter without the salutation, and without its end and all that follows. */
export function linesOfLetter(all: readonly string[]): readonly string[] {
  const end = all.findIndex(
    (line, at) => at > 0 && (SIGN_OFF.test(line) || endsLetter(all, at)) && !all.slice(at).some(isFaultLine),
  )
  const letter = end < 0 ? all : all.slice(0, end)
  const isGreeting = (line: string, at: number): boolean =>
    at < GREETING_LINES &&
    !tellsProblem(line) &&
    (GREETING.test(line) || CALL.test(line) || (at === 0 && SALUTATION.test(line)))
  const kept = letter.filter((line, at) => !isGreeting(line, at))
  if (kept.length === 0) return letter
  const isSigned = kept.length < letter.length && isSignature(kept)
  return isSigned ? kept.slice(0, -1) : kept
}

/** Whether the last line of a letter that was greeted is a name: a few words below a sentence. */
function isSignature(lines: readonly string[]): boolean {
  const [before = '', last = ''] = lines.slice(-2)
  return lines.length > 1 && /[.!?]$/.test(before) && /^\p{Lu}[\p{L}-]*(?: \p{Lu}[\p{L}-]*){0,3}$/u.test(last)
}

function tellsProblem(line: string): boolean {
  return isFaultLine(line) || hasFault(line) || stateInSentence(line)?.kind === 'bad'
}

function endsLetter(all: readonly string[], at: number): boolean {
  const below = all.slice(at + 1)
  const isLast = below.length > 0 && below.length <= NAME_LINES_MAX
  return isLast && at > 1 && END_LINE.test(all[at] ?? '') && below.every(line => NAME_LINE.test(line))
}

/** Words for a message, in notes that a machine wrote it. */
const MESSAGES =
  'e-?mails? messages? notifications? nachricht mitteilung benachrichtigung courriel correo mensaje ' +
  'messaggio report bericht wiadomość mensagem zpráva meddelande'
/** Notes about the message itself, or about how to get no more of them. */
const NOTE = new RegExp(
  [
    `^(?=.*\\bautomat)(?=.*(?<!\\p{L})(?:${oneOf(MESSAGES)})(?!\\p{L}))(?!.*:).{0,160}$`,
    // Not to be answered.
    '(?:^|[,.;:!] |please )do not reply\\b|\\bdo not reply to this\\b' +
      '|\\bnicht auf diese|antworten sie (?:bitte )?nicht' +
      '|\\bde ne pas (?:y )?répondre\\b',
    '(?<!\\p{L})no respond(?:a|an|as|er)(?!\\p{L})|\\bnon risponder',
    '\\bniet (?:te )?beantwoord|\\bnie odpowiada[ćj]|\\bnão responda',
    // How to get no more of them, and why this one came.
    '\\b(?:unsubscribe|abbestellen|désabonner|darse de baja|uitschrijven|disiscriv\\p{L}*)\\b',
    "^(?:you(?:'re| are)? receiv|you get this|vous recevez|sie (?:erhalten|haben) diese|recib[ei]s? este)",
    '^(?:ricev[ei]|(?:u|je) ontvangt|otrzymuj|você recebe)',
    // That something happened, which the subject says already.
    '^for further assistance\\b',
    '^(?:ett larm har inträffat|(?:ein|eine) (?:neue )?(?:alarm|störung|meldung) ist aufgetreten)' +
      '|^(?:an? |the following )?(?:alarm|alert|event|error|problem) (?:has |was )?' +
      '(?:occurred|been triggered|raised)\\b[^:\\d]{0,40}[.!]?$',
    "^if you (?:don't|do not|no longer|have any|feel|did not|believe|think)\\b",
    '^(?:©|\\(c\\)|copyright)|all rights reserved|\\breply above this line\\b|\\bdelivered by\\b',
    '^(?:tel|phone|fon|tél|telefon|teléfono)\\.?(?: \\p{L}+)?:? [+\\d(]',
    '^(?:sent|messaggio inviato|enviado|envoyé|gesendet|verzonden|skickat) ' +
      '(?:by|da|por|par|von|via|av) .{2,40}$',
    // Lines of a log for its programmers, and questions to the reader.
    '^[\\d:.,TZ +-]{0,40}\\W{0,3}(?:debug|trace)\\b|^was this (?:helpful|useful)|^(?:fragen|questions)\\?',
    '^(?:以下|下記).{0,60}(?:ました|です|ます)。?$|^お客様',
    'お世話になっております|よろしくお願い|ありがとうございます',
  ].join('|'),
  'iu',
)

/** How a letter begins to say what happened. */
const LEAD_IN = new RegExp(
  '^(?:(?:hereby )?(?:we (?:regret|are sorry|would like|want|have) to inform you|this is to inform you' +
    '|please be (?:advised|informed)|we (?:have )?(?:detected|noticed)) (?:that )?|good news[!:.,] ' +
    '|wir (?:möchten|müssen) sie (?:darüber )?informieren, dass ' +
    '|hiermit informieren wir sie(?: darüber)?, dass ' +
    "|(?:nous vous informons|notre système (?:de \\p{L}+ )?a détecté) qu(?:e |')" +
    '|(?:le informamos|hemos detectado|nuestro sistema ha detectado)(?: de)? que ' +
    '|(?:si comunica|la informiamo|vi informiamo) che ' +
    '|(?:onze monitoring|ons systeem) heeft vastgesteld dat ' +
    '|(?:wij )?informeren (?:wij )?u dat |informujemy, że |(?:informamos|comunicamos) que )',
  'iu',
)

/** A sentence without the words with which letters begin. */
export function withoutLeadIn(line: string): string {
  const lead = line.length < 24 ? undefined : LEAD_IN.exec(line)?.[0]
  return lead === undefined ? line : line.slice(lead.length)
}

/** How a mail that came back begins. What the other server said stands below. */
const RETURNED = /^i'm sorry to have to inform you\b/i
const NOTE_LENGTH_MAX = 300

/** Whether a line is a note that says nothing about the alert. */
export function isNote(line: string): boolean {
  return line.length <= NOTE_LENGTH_MAX && ((NOTE.test(line) && !isFaultLine(line)) || RETURNED.test(line))
}

/** A date, with or without the day of the week. */
const DATE =
  '(?:\\p{L}{2,10}\\.?,? )?(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{2,4}' +
  '|\\d{1,2}[-. ]{1,2}\\p{L}{3,9}\\.?[-., ]{1,2}\\d{4}|\\p{L}{3,9} \\d{1,2},? \\d{4})'
/** As `date` prints it. */
const PRINTED = '(?:\\p{L}{3} )?\\p{L}{3} {1,2}\\d{1,2} \\d\\d:\\d\\d:\\d\\d (?:\\w{3,4} )?\\d{4}'
const CLOCK =
  '\\d{1,2}:\\d\\d(?::\\d\\d)?(?:[.,]\\d{1,9})?' +
  '(?: ?\\(?(?:Z|UTC|GMT|CES?T|[AP]M|Uhr|[+-]\\d\\d:?\\d\\d)\\)?){0,2}'
const BETWEEN = '(?:,? (?:(?:at|um|à|a las|om|alle|ore|kl\\.?|às|o godz\\.?|-) )?|T|, ?)'
/** Found much faster than the whole expression. */
const HAS_CLOCK = /\d:\d\d/
/** A sentence needs the time of its own sending no more than a reader does. */
const SENT_AT = new RegExp(
  ' (?<!(?:expir|valid|until|due|schedul|planned|since|depuis|desde|bis|gültig|dal)\\p{L}{0,8} )' +
    `(?:at|on|am|um|le|el|il|op|em) ${DATE}${BETWEEN}${CLOCK}`,
  'giu',
)
/** A line with a name and a date, which is no date that something ends. */
const DATED_LINE = new RegExp(
  '^(?!.*(?:expir|valid|until|due|ablauf|gültig|venc|scad|verloop|next|nächst|estimat|expect|voraussicht))' +
    '[^:\\d]{1,40}(?:\\([^()]{1,20}\\))? ?: ?' +
    `(?:${PRINTED}|${DATE}(?:${BETWEEN}(?:\\p{L}{2,8}: )?${CLOCK})?\\)?)\\.?$` +
    '|^(?:.{0,30} )?(?:time|uhrzeit|zeit|hora|heure|ora|tijd|tid|godzina' +
    `|\\p{L}*(?:時間|時刻|日時))(?: \\p{L}{2,8})?: ?${CLOCK}$`,
  'iu',
)
/** A span of time looks like a time. */
const SPAN_LINE = /^[^:]*(?:duration|down ?time|elapsed|dauer|durée|duración|durata|duur|uptime)[^:]*:/iu

/** A text without the times at which it was written. */
export function withoutTimes(text: string): string {
  return HAS_CLOCK.test(text) ? text.replace(SENT_AT, '') : text
}

/** Whether a line is a name with a date or a time. */
export function isDatedLine(line: string): boolean {
  return (
    line.length <= 90 &&
    /\d/.test(line) &&
    DATED_LINE.test(line) &&
    !SPAN_LINE.test(line) &&
    !namesProblem(line)
  )
}

const TIME_WORD = /time|date|zeit|datum|fecha|hora|heure|\bora\b|tijd|tid\b|godz|\b(?:at|on|when|am|um)$/i

/** Whether the name before a date says what happened: `Stromausfall: 26.11.2026 03:12`. */
function namesProblem(line: string): boolean {
  const name = line.slice(0, line.indexOf(':')).trim()
  return (
    !TIME_WORD.test(name) &&
    (isFaultLine(name) ||
      stateInSentence(name)?.kind === 'bad' ||
      /alarm|ausfall|(?<!\p{L})(?:on battery|offline)(?!\p{L})/iu.test(name))
  )
}
