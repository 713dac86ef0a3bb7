/** The country code of a number, which its first digits tell (E.164), and what follows. */
const COUNTRY = /^(\+(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3}))(\d{5,})$/

/** A phone number in groups, as people read it out: `+1 415 555 0196`. What is no number is one group. */
export function groupsOf(number: string): readonly string[] {
  const [, country, others] = COUNTRY.exec(number) ?? []
  if (country === undefined || others === undefined) return [number]
  return [country, ...others.replace(/\d{3}(?=\d\d)/g, '$& ').split(' ')]
}

/** A number for a sentence, in groups that stay on one line. Other words stay as they are. */
export function spokenNumber(words: string): string {
  return groupsOf(words).join('\u00a0')
}
