/**
 * Replaces quotes, dashes, arrows, spaces and signs outside GSM-7 by similar ones inside it. A single
 * character outside GSM-7 forces the text into UCS-2, with 70 instead of 160 characters a segment. Letters
 * stay, so a name keeps its accents. @see 3GPP TS 23.038, section 6.2.1
 */
export function foldText(text: string): string {
  return text
    .replace(/(?<=«)[ \u00a0\u202f]|[ \u00a0\u202f](?=»)/g, '')
    .replace(FOLDABLE, character => FOLDS.get(character) ?? '')
}

const REPLACEMENTS: readonly (readonly [characters: string, replacement: string])[] = [
  ['“”„‟«»″❝❞＂', '"'],
  ['‘’‚‛′‹›`´ʼ＇', "'"],
  ['‐‑‒–—―−﹘﹣－─━', '-'],
  ['…', '...'],
  ['→⇒➔➜➝➞➡⟶⇨►▶', '->'],
  ['←⇐⬅⟵◀◄', '<-'],
  ['↔⇔⟷', '<->'],
  ['•‣∙·●○▪▫◦⁃', '-'],
  ['│┃｜¦', '|'],
  ['×✕', 'x'],
  ['÷∕⁄', '/'],
  ['≥', '>='],
  ['≤', '<='],
  ['≠', '!='],
  ['≈∼', '~'],
  ['±', '+/-'],
  ['²', '2'],
  ['³', '3'],
  ['¹', '1'],
  ['µμ', 'u'],
  ['½', '1/2'],
  ['¼', '1/4'],
  ['¾', '3/4'],
  ['‼', '!!'],
  ['№', 'No'],
  ['：', ':'],
  ['\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000', ' '],
  ['°™®©', ''],
  // Invisible characters: soft hyphen, zero width, text direction, byte order mark.
  ['\u00ad\u200b\u2060\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff', ''],
]

const FOLDS = new Map(REPLACEMENTS.flatMap(([from, to]) => [...from].map(character => [character, to])))
const FOLDABLE = new RegExp(
  `[${[...FOLDS.keys()].map(c => `\\u{${c.codePointAt(0)?.toString(16)}}`).join('')}]`,
  'gu',
)
