import { CODE_PLACEHOLDER } from '#contracts/two-factor.ts'

/** The template with the code in every place that is meant for it. */
export function fillTemplate(template: string, code: string): string {
  return template.replaceAll(CODE_PLACEHOLDER, code)
}

/**
 * The text with an asterisk for every character that belongs to the code, wherever it stands: an occurrence
 * that the template brought along, or one that overlaps another, would tell it as well. Length, alphabet and
 * segments stay.
 */
export function maskCode(text: string, code: string): string {
  let masked = ''
  let hiddenUntil = 0
  for (let i = 0; i < text.length; i++) {
    if (text.startsWith(code, i)) hiddenUntil = i + code.length
    masked += i < hiddenUntil ? '*' : text[i]
  }
  return masked
}
