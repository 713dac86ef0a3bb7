/** Finds people of the address book whose names a search begins to write. */

import type { PersonResource } from '#contracts/on-call.ts'

/** A single letter begins too many names. */
const LETTERS_MIN = 2

/** Finds people by the beginnings of their names: `love ada` finds Ada Lovelace. Digits find nobody. */
export function matchingPeople<T extends Pick<PersonResource, 'name'>>(
  typed: string,
  people: readonly T[],
): readonly T[] {
  const words = wordsOf(typed)
  if (words.join('').length < LETTERS_MIN || !/\p{L}/u.test(typed)) return []
  return people.filter(({ name }) => {
    const parts = wordsOf(name)
    return words.every(word => parts.some(part => part.startsWith(word)))
  })
}

/** Whether two names differ at most in capitals and spaces. */
export function isSameName(one: string, other: string): boolean {
  return plainName(one) === plainName(other)
}

function plainName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase().replace(/\s+/g, ' ')
}

function wordsOf(text: string): readonly string[] {
  const bare = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  return bare.split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')
}
