import { language } from '#console/language.ts'

let labels: Readonly<Record<string, string>> = {}

/** Says what the forms call the fields of the API. Most forms are loaded later than this. */
export function labelFields(words: Readonly<Record<string, string>>): void {
  labels = words
}

/** A field in words. Empty: it has no label here, and its name helps no reader of another language. */
export function fieldWords(path: string): string {
  return labels[path.split('.')[0] ?? ''] ?? (language.tag === 'en' ? path : '')
}
