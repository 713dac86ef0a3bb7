/** Joins words with spaces and leaves out the empty ones. */
export function joinWords(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join(' ')
}

/** `on nas`, or empty if there is no place. */
export function withPlace(word: string, place: string): string {
  return place === '' ? '' : `${word} ${place}`
}
