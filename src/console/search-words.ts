/** What words mean to the search of the handbook: which say nothing, which say the same. */

/** Words that stand on every page, and say nothing of what is looked for. */
const EMPTY = new Set(
  (
    'a about after am an and any are as at be by can did do does for from get has have how i if in is it ' +
    'its me my need no not of on or our should so than that the their them then there this to too use ' +
    'used using want was we what when where which who why will with you your'
  ).split(' '),
)

/** Words that people type, and words of the handbook that mean the same. */
/** Words that people type, and words of the handbook that mean the same. */
const SAME: readonly (readonly [typed: string, words: string])[] = [
  ['ha, redundant, redundancy, failover, standby', 'failover cluster'],
  ['schedule, later, delay, planned', 'plan schedule'],
  ['site, branch, location, remote, place', 'elsewhere site place'],
  ['optout, unsubscribe, block', 'stop unsubscribe'],
  ['encrypt, encryption, ssl, tls', 'https encryption'],
  ['price, cost, fee, pay', 'price cost tariff'],
  ['license, licensing', 'licence'],
  ['roster, shift, rotation', 'rota'],
  ['erase, wipe, remove, delete', 'delete'],
  ['permission, right, privilege', 'role permission'],
  ['otp, 2fa', 'onetime otp'],
  ['connect, link, add', 'pair connect'],
  ['update', 'upgrade'],
  ['picture, photo, image', 'mms picture'],
  ['broken, fault, failure', 'trouble problem'],
  ['mass, campaign, newsletter', 'bulk'],
  ['incoming, inbound', 'received'],
  ['error, refuse', 'refusal error'],
  ['usb, stick, dongle', 'modem stick'],
  ['reply, respond, response, acknowledge', 'answer'],
  ['mute, snooze', 'silence mute'],
  ['message, sms', 'text'],
  ['smtp', 'mail'],
  ['nodejs, javascript, typescript', 'javascript node'],
  ['daemon, autostart', 'service'],
  ['history', 'audit'],
  ['cellphone, mobile, handset, smartphone, device', 'phone'],
  ['computer, box, server, machine', 'gateway machine'],
]

/** Pairs that are written as one word, too. */
const JOINED =
  /\b(e|log|sign|opt|opted|set|back|on|one|web|wi|time)[ -](mail|in|on|out|up|call|time|hook|fi)\b/gi

/** The words of a text in their basic forms, in their order; `sendAt` also as two words. */
export function wordsOf(text: string): string[] {
  const whole = text.replaceAll(JOINED, '$1$2').matchAll(/[\p{L}\p{N}_]+/gu)
  return Array.from(whole, ([word]) => [word, ...partsOf(word)])
    .flat()
    .map(word => stemOf(word.toLowerCase().replace(/^email/, 'mail')))
}

function partsOf(word: string): readonly string[] {
  const parts = word.split(/(?<=[\p{Ll}\d])(?=\p{Lu})|_/u)
  return parts.length > 1 ? parts : []
}

/** A word without the endings that English hangs on: `texts`, `scheduling` and `refused` lose theirs. */
function stemOf(word: string): string {
  if (word.length < 4 || /[\d_]/.test(word)) return word
  const one = word
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x)es$/, '')
    .replace(/(?<![sui])s$/, '')
  const bare = one.replace(/(?<=[aeiouy].*[a-z]{2})(?:ing|ed)$/, '').replace(/([bdgmnprt])\1$/, '$1')
  return bare.replace(/(?<=.{3})e$/, '')
}

const MEANINGS = SAME.flatMap(([typed, words]) =>
  typed.split(', ').map(phrase => [wordsOf(phrase).join(' '), wordsOf(words)] as const),
)

/** The words of a title that say something. */
export const saidIn = (title: string) => wordsOf(title).filter(word => !EMPTY.has(word))

/** What is looked for: each part of a query with the words that it may stand as. */
export function termsOf(query: string): readonly (readonly string[])[] {
  const asked = query.toLowerCase().split(/\s+/).filter(Boolean)
  const words = asked.flatMap(wordsOf)
  const line = ` ${words.join(' ')} `
  const meant = MEANINGS.filter(([phrase]) => line.includes(` ${phrase} `))
  const long = meant.filter(([phrase]) => phrase.includes(' '))
  const inLong = new Set(long.flatMap(([phrase]) => phrase.split(' ')))
  const single = words.filter(word => !inLong.has(word) && !EMPTY.has(word))
  const termOf = (phrase: string) => {
    const same = meant.filter(([other]) => other === phrase).flatMap(([, words]) => words)
    return phrase.includes(' ') ? same : [phrase, ...same]
  }
  const terms = [...new Set([...long.map(([phrase]) => phrase), ...single])].map(termOf)
  return terms.length === 0 && words.length > 0 ? words.map(word => [word]) : terms
}
