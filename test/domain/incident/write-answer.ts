import type { AnswerVerb } from '#domain/incident/incident-events.ts'
import type { Random } from '#test/kit/random.ts'

/** Texts that ask for nothing. */
export const CHATTY_TEXTS = [
  'okay, thanks',
  'ok?',
  'no way',
  'No, that was yesterday',
  '2 pm is fine',
  '28h',
  '2 8d',
  '2 0m',
  '2 169h',
  '2 no done',
  '2, 3',
  '222',
  '+2',
  '-2',
  '2.5',
  '',
  '??',
  '2 sorry',
  '2.5h',
  '2,5h',
  '2:30h',
  'is 2 fixed',
  'sorry',
  'thanks',
  '2?',
  '2 list for 2 hours',
  '2 no i take it',
  '2 8 apples',
  'over',
  'stop',
  `${'ok '.repeat(30)}2`,
] as const

export interface WrittenAnswer {
  readonly text: string
  readonly verb: AnswerVerb
  readonly number: number | null
}

/** An answer as people type it, with this number or without one. */
export function writeAnswer(random: Random, number: number): WrittenAnswer {
  const end = random.pick(['', '.', '! ', '\n'])
  if (random.chance(0.5)) {
    const verb = random.pick<AnswerVerb>(['take', 'no'])
    return { text: `${verb === 'take' ? 'Ok' : 'no'}${end}`, verb, number: null }
  }
  const verb = random.pick<AnswerVerb>(['take', 'take', 'no', 'done'])
  if (random.chance(0.2)) return { text: `${verb === 'take' ? 'ok' : verb} ${number}${end}`, verb, number }
  const words = verb === 'take' ? random.pick(['', ' ok', 'OK', ': yes', ' 8h', ' 30m', ' 30 M']) : ` ${verb}`
  return { text: `${random.pick(['', '#'])}${number}${words}${end}`, verb, number }
}
