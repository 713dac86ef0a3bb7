import { decodeHTMLStrict } from 'entities/decode'

/**
 * Removes HTML, Markdown, Slack's links and emoji codes from a text, and keeps its words and line breaks.
 * Every regular expression here is linear, because the text that it skips over never contains the character
 * with which the expression starts.
 */
export function stripMarkup(text: string): string {
  if (!MARKUP.test(text)) return text
  return stripMarkdown(decodeHTMLStrict(stripHtml(stripSlackLinks(printTimes(text)))))
}

/** A text without any of these characters has no markup. */
const MARKUP = /[<>&*_`~[\]#|\\:-]/

function stripSlackLinks(text: string): string {
  if (!text.includes('<')) return text
  return (
    text
      // A link alone on its line: the address.
      .replace(/^[ \t]{0,8}<((?:https?|mailto):[^<>|\s]*)\|[^<>|\n]*>[ \t]*$/gm, '$1')
      // A short link in parentheses, such as "(view)": nothing.
      .replace(/ ?\(<(?:https?|mailto):[^<>|\s]*\|[^<>|]{1,24}>\)/g, '')
      // Any other link: its label, or else the address.
      .replace(/<((?:https?|mailto):[^<>|\s]*)\|([^<>|]*)>/g, '$2')
      .replace(/<((?:https?|mailto):[^<>|\s]*)>/g, '$1')
      // A mention of a person or a channel: its label, or else nothing.
      .replace(/<[@#!][^<>|\s]*\|([^<>|]*)>/g, '$1')
      .replace(/<[@#!][^<>|\s-]+>/g, '')
  )
}

/** A time in Discord's form: `<t:1618953630:R>`. */
const TIME = /<t:(\d{1,11})(?::([tTdDfFR]))?>/g

function printTimes(text: string): string {
  return text.replace(TIME, (_, seconds: string, style = 'f') => {
    const [date = '', time = ''] = new Date(Number(seconds) * 1000).toISOString().split('T')
    const clock = `${time.slice(0, 5)} UTC`
    if (/t/i.test(style)) return clock
    return /d/i.test(style) ? date : `${date} ${clock}`
  })
}

/** The tags of HTML. Anything else in angle brackets, such as `<nas01>`, is text. */
const TAG_NAMES = [
  'a|abbr|b|big|blockquote|body|br|button|center|cite|code|dd|del|div|dl|dt|em|font|footer|form|h[1-6]',
  'head|header|hr|html|i|img|input|ins|kbd|label|li|link|main|mark|meta|nav|ol|p|pre|q|s|script|section',
  'small|span|strike|strong|style|sub|sup|svg|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul|tg-spoiler',
].join('|')
const TAG_NAME = new RegExp(`^(?:${TAG_NAMES})$`, 'i')
const TAG = new RegExp(`<(?:/?(?:${TAG_NAMES})(?:[\\s/][^<>]*)?|!doctype[^<>]*)>`, 'gi')

export function isHtmlTag(name: string): boolean {
  return TAG_NAME.test(name)
}

function stripHtml(text: string): string {
  if (!/<[a-z/!]/i.test(text)) return text
  return withoutButtons(
    removeParts(removeElements(removeElements(text, 'style'), 'script'), '<!--', '-->')
      .replace(/<!--|-->/g, '')
      // What a mail hides from a reader, such as the text for the list of mails.
      .replace(/<(\w{1,8})\b[^<>]{0,400}\bdisplay: ?none\b[^<>]{0,400}>[^<>]*<\/\1>/gi, '')
      // The name of the page, which no mail shows, and a name before the cell with its value.
      .replace(/<title>[^<>]*<\/title>(?=[\s\S]{0,4096}<body)/i, '')
      .replace(/<\/?(?:b|strong|span|font|em)\b[^<>]*>/gi, '')
      .replace(HEAD_ROW, '')
      .replace(NAMED_ROW, '\n$1: $2\n')
      .replace(/:?\s{0,40}<\/th>\s{0,40}<td\b[^<>]*>/gi, ': ')
      .replace(/<a\b[^<>]*>([^<>\n]{1,40})<\/a>/gi, `${LINK}$1${LINK_END}`)
      .replace(
        /<(?:br|html|title|div|\/title|\/center|\/p|\/div|\/li|\/tr|\/h[1-6]|\/table|hr)\b[^<>]*>/gi,
        '\n',
      )
      .replace(/<li\b[^<>]*>/gi, '\n- ')
      .replace(/<\/t[dh]\b[^<>]*>/gi, ' ')
      .replace(TAG, ''),
  )
}

/** A row of a table with nothing but the names of its columns. */
const HEAD_ROW = /<tr\b[^<>]*>(?:\s{0,40}<th\b[^<>]*>[^<>]{0,60}<\/th>){3,20}\s{0,40}<\/tr>/gi

/** A row of a table with a name and its value. */
const NAMED_ROW = new RegExp(
  '<tr\\b[^<>]*>\\s{0,40}<t[dh]\\b[^<>]*>\\s{0,40}(\\p{L}[^<>\\n:]{1,39}):?\\s{0,40}</t[dh]>\\s{0,40}' +
    '<td\\b[^<>]*>\\s{0,40}([^<>\\n]{1,200}?)\\s{0,40}</td>\\s{0,40}</tr>',
  'giu',
)

/** Around the label of a link, while HTML is read. */
const LINK = '\ue000'
const LINK_END = '\ue001'
const LINKS_ALONE = new RegExp(`^[\\s|-]*(?:${LINK}[^${LINK_END}\\n]*${LINK_END}[\\s|-]*)+$`)

/** Drops lines of nothing but links, if there is more: a reader of a text cannot follow them. */
function withoutButtons(text: string): string {
  const lines = text.split('\n')
  const kept = lines.filter(line => !LINKS_ALONE.test(line))
  return (kept.some(line => /\p{L}/u.test(line)) ? kept : lines).join('\n').replace(/[\ue000\ue001]/g, '')
}

/** Removes elements with their content. An element without an end tag stays. */
function removeElements(text: string, name: string): string {
  return removeParts(text, `<${name}`, `</${name}>`)
}

function removeParts(text: string, open: string, close: string): string {
  const lower = text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
  const kept: string[] = []
  let from = 0
  for (;;) {
    const start = lower.indexOf(open, from)
    const end = start < 0 ? -1 : lower.indexOf(close, start)
    if (end < 0) return kept.join('') + text.slice(from)
    kept.push(text.slice(from, start))
    from = end + close.length
  }
}

function stripMarkdown(text: string): string {
  return (
    text
      // A link alone on its line: nothing if its label begins with "view" or the like, otherwise the address.
      .replace(
        /^[ \t]{0,8}\[(?:view|open|see|show|go to|details?|more)\b[^[\]\n]*\]\([^()\s]*\)[ \t]*$/gim,
        '',
      )
      // Several links, as buttons are written.
      .replace(/^(?:[ \t|,·-]{0,8}\[[^[\]\n]{1,40}\]\((?:https?|mailto):[^()\s]*\)){2,12}[ \t|]{0,8}$/gm, '')
      .replace(/^[ \t]{0,8}\[[^[\]\n]*\]\(((?:https?|mailto):[^()\s]*)\)[ \t]*$/gm, '$1')
      .replace(
        // The target of a link has a dot, a slash, a colon or `#`; `sdb1[1](F)` is a failed disk.
        /!?\[([^[\]\n]*)\]\(((?=[^()\s]*[./:#])[^()\s]*|)(?: "[^"()\n]*")?\)/g,
        (_, label: string, url: string) => label || url,
      )
      // Headings and quotations; code fences; the rule below a table's header; the rest of the fences.
      .replace(/^[ \t]{0,8}(?:#{1,6}|>)[ \t]+/gm, '')
      .replace(/^[ \t]{0,8}(?:```|~~~)\w{0,20}[ \t]*$/gm, '')
      .replace(/^\|?(?:[ \t]{0,8}:?-{3,200}:?[ \t]{0,8}\|){1,20}.*$/gm, '')
      .replace(/```/g, '')
      // Code, bold, strikethrough and italics; then escaped characters; then emoji codes such as `:fire:`.
      .replace(/`([^`\n]+)`/g, '$1')
      .replace(/\*\*([^*\n]+)\*\*/g, '$1')
      .replace(/(^|[^\w])__([^_\n]+)__(?!\w)/gm, '$1$2')
      .replace(/~~([^~\n]+)~~/g, '$1')
      .replace(/(^|[^\w*])\*([^\s*][^*\n]*)\*(?![\w*])/gm, '$1$2')
      .replace(/(^|[^\w])_([^\s_][^_\n]*)_(?!\w)/gm, '$1$2')
      .replace(/\\([*_`[\]()#])/g, '$1')
      .replace(/(^|\s):(?:(?=[a-z0-9_+-]{0,30}[a-z])[a-z0-9_+-]{1,31}|flag-[A-Z]{2}):(?=\s|$)/gm, '$1')
  )
}
