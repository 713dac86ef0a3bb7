/** Words with a space between; those that are empty are left out. */
export function joinWords(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join(' ')
}

/** `on nas`; empty where there is no place. */
export function withPlace(word: string, place: string): string {
  return place === '' ? '' : `${word} ${place}`
}
