/** The words of answers by text: what each asks for, in English and in the gateway's language. */
import { type Language, say } from '#contracts/words.ts'

/**
 * `it`, `me` and `be` (it, I, is) change nothing beside other words. `unsure`: a condition, a question, or
 * words to another person. `bad`: something is down. `please` beside `take it` asks another person.
 */
type Sense = 'take' | 'no' | 'done' | 'list' | 'it' | 'me' | 'be' | 'not' | 'unsure' | 'bad' | 'please'

/** `weight` 0: asks for nothing; 1: a short word; 2: a phrase. The heaviest words of a text count. */
export interface Meaning {
  readonly sense: Sense
  readonly weight: 0 | 1 | 2
}

export interface AnswerWords {
  /** By a word or phrase as `plainWords` writes it. */
  readonly meanings: ReadonlyMap<string, Meaning>
  /** Words that people put anywhere, and that are left out. */
  readonly loose: ReadonlySet<string>
  /** Digits by the word of a number. */
  readonly numbers: ReadonlyMap<string, string>
}

/** The words of the longest phrase. */
export const PHRASE_WORDS_MAX = 6

/** Each of these with each of those: `I'll` and `look`. */
function pairs(first: string, second: string): string {
  const seconds = second.split(', ')
  return first
    .split(', ')
    .flatMap(one => seconds.map(other => `${one} ${other}`))
    .join(', ')
}

// The phrases of other languages stand in their files, where the second word is the key.
const LOOSE = 'just, now, already, so, well, then, actually, too, today, tonight, asap, right away'
const POLITE =
  'thanks, thank you, thx, cheers, hi, hey, hello, right now, reply, answer, no worries, no problem, ' +
  'dont worry'
const IT = 'it, its, this, that, the, a, an, one, both, all, at, here, as soon as possible'
const ME = 'i, im, ive, we, were, me, myself'
const BE = 'is, am, are'
const UNSURE =
  'yet, if, unless, until, till, once, maybe, perhaps, later, tomorrow, almost, nearly, should, ' +
  'would, could, might, you, your, who, whos, what, whats, when, where, why, how, which, he, she, they'
/** What was done about a problem, and what it was. */
const CAUSE =
  'restarted, rebooted, had to restart, had to reboot, replaced, reset, power cycled, plugged in, ' +
  'plugged back in, somebody pulled the plug, someone pulled the plug, ' +
  pairs(
    'was, was the, was a, was only the, was only a',
    'cable, plug, fuse, breaker, power, router, switch, battery, update, reboot, false alarm',
  )
const BAD =
  'down, still, off, offline, broken, dead, full, stuck, slow, fail, fails, failed, failing, failure, ' +
  'error, errors, problem, problems, issue, issues, crash, crashed, crashes, hangs, missing, unreachable, ' +
  'stopped, worse, \u{1f525}, \u{1f4a5}, \u274c, \u26a0, \u{1f6a8}, \u{1f480}'
const SHORT =
  'take, take it, take this, take that, ok, okay, k, yes, yep, yeah, yup, sure, ack, \u{1f44d}, \u{1f44c}'
const TAKE =
  'taking, have it, have this, got it, got this, i got the, ive got the, ' +
  'have got it, have got this, mine, on it, on this, on that, on my way, on the way, omw, coming, will do, ' +
  'looking, looking into, checking, checking on, handling, fixing, working on, dealing with, ' +
  'driving there, heading there, going there, be there, be right there, acknowledged, ' +
  'yes i do, leave it to me, ' +
  pairs(
    'i, ill, we, will, i will, i can, let me, lemme, gonna, im gonna, going to, im going to',
    'take, do, go, look, look at, look into, have a look, take a look, check, check on, handle, ' +
      'fix, sort, come, deal with, see to, be there, take care of, go there, drive there, head over',
  )
const PASS =
  'pass, pass on, pass it on, next, skip, not mine, not now, not today, busy, no time, have no time, away, ' +
  'not available, unavailable, unable, off duty, not on call, not on duty, on holiday, on vacation, ' +
  'sick, no sorry, ' +
  pairs('not, isnt', 'me, my turn, for me') +
  ', ' +
  pairs(
    'somebody else, someone else, another person, the next one, the next person',
    'please, do it, take it, has to',
  ) +
  ', somebody else, someone else, ' +
  pairs('ask, try, call, tell', 'somebody else, someone else, another person, the next, next') +
  ', ' +
  pairs('can, could', 'somebody else take, someone else take, somebody else do, someone else do') +
  ', cant, cannot, can not, ' +
  pairs(
    'cant, cannot, can not, wont, will not, not able to, unable to',
    'do, do it, take, take it, go, come, help, look, check, get there, make it, be there',
  )
const DONE =
  'done, fixed, problem solved, problem fixed, solved, resolved, repaired, sorted, close it, ' +
  'works, works again, all good, all ok, all fine, no longer down, ' +
  pairs('working, running, runs, ok, okay, fine, up, online, good', 'again') +
  ', back up, back online, back to normal, ' +
  pairs(
    'is, its, are',
    'over, fine, back, up, working, running, online, back up, back online, back to normal, up again, ' +
      'working again, running again, ok again, okay again, fine again, online again',
  ) +
  ', ' +
  pairs('been, i, ive, i have, we, weve, we have', 'fixed, solved, closed, repaired, sorted')
const LIST =
  'list, ' +
  pairs(
    'what is, whats, what is still, whats still, what else is, whats else, what is else, anything, ' +
      'anything else, anything still',
    'open, down, broken, there, wrong, left',
  )

const languages = new Map<string, AnswerWords>()

export function answerWordsOf(language: Language): AnswerWords {
  const known = languages.get(language.tag)
  if (known !== undefined) return known
  const split = (english: string, own: string) => foldUmlauts(`${english}, ${own}`).split(', ')
  const loose = new Set(split(LOOSE, say(language, 'just')))
  const phrasesOf = (english: string, own: string) =>
    split(english, own).map(phrase =>
      phrase
        .split(' ')
        .filter(word => !loose.has(word))
        .join(' '),
    )
  const groups: readonly (readonly [Sense, Meaning['weight'], readonly string[]])[] = [
    ['it', 0, phrasesOf(IT, say(language, 'it'))],
    ['it', 0, phrasesOf(CAUSE, say(language, 'was the cable'))],
    ['me', 0, phrasesOf(ME, say(language, 'I'))],
    ['be', 0, phrasesOf(BE, say(language, 'is'))],
    ['unsure', 0, phrasesOf(UNSURE, say(language, 'if'))],
    ['bad', 0, phrasesOf(BAD, say(language, 'broken'))],
    ['please', 0, phrasesOf('please, pls', say(language, 'please'))],
    ['take', 0, phrasesOf(POLITE, say(language, 'thanks'))],
    ['no', 0, phrasesOf('sorry, unfortunately, afraid', say(language, 'sorry'))],
    ['list', 2, phrasesOf(LIST, say(language, 'what is open'))],
    ['done', 2, phrasesOf(DONE, say(language, 'done'))],
    ['no', 2, phrasesOf(PASS, say(language, 'pass'))],
    ['no', 1, phrasesOf('no, nope, nah, \u{1f44e}', say(language, 'no'))],
    ['not', 1, phrasesOf('not, dont, doesnt, didnt, isnt, arent, wasnt, wont, never', say(language, 'not'))],
    ['done', 1, ['over', 'closed']],
    ['take', 2, phrasesOf(TAKE, say(language, 'taking it'))],
    ['take', 1, phrasesOf(SHORT, say(language, 'ok'))],
  ]
  const numbers = ['two, three, four, five, six, seven, eight, nine, ten', say(language, 'two')].flatMap(
    list => list.split(', ').map((word, at) => [foldUmlauts(word), String(at + 2)] as const),
  )
  const made = {
    loose,
    numbers: new Map(numbers),
    meanings: new Map(
      groups.flatMap(([sense, weight, phrases]) =>
        phrases.map(phrase => [phrase, { sense, weight }] as const),
      ),
    ),
  }
  languages.set(language.tag, made)
  return made
}

export function foldUmlauts(text: string): string {
  return text.replace(/[äöüß]/g, letter => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? 'ss')
}
