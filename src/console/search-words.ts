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
const JOINED = /\b(e|log|sign|opt|set|back|on|one|web|wi|time)[ -](mail|in|on|out|up|call|time|hook|fi)\b/gi

/** The words of a text in their basic forms, in their order; `sendAt` also as two words. */
export function wordsOf(text: string): string[] {
  const whole = text
    .replaceAll(JOINED, (_, one, two: string) => one + two.toLowerCase())
    .matchAll(/[\p{L}\p{N}_]+/gu)
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
  const bare = one.replace(/(?<=[aeiouy].*[a-z])(?:ing|ed)$/, '').replace(/([bdgmnprt])\1$/, '$1')
  return bare.replace(/(?<=.{3})e$/, '')
}

const MEANINGS = new Map(
  SAME.flatMap(([typed, words]) => wordsOf(typed).map(word => [word, wordsOf(words)] as const)),
)

/** The words of a title that say something. */
export const saidIn = (title: string) => wordsOf(title).filter(word => !EMPTY.has(word))

/** What is looked for: each word of a query, and the words that mean the same. */
export function termsOf(query: string): readonly (readonly string[])[] {
  const words = saidIn(query)
  const all = words.length === 0 ? wordsOf(query) : words
  return [...new Set(all)].map(word => [word, ...(MEANINGS.get(word) ?? [])])
}
