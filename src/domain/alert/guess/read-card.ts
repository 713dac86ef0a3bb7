import { isDate } from '#domain/alert/guess/role-features.ts'
import { isObject, type Json, type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readHeadline } from '#domain/alert/text/headline.ts'
import { readState, type StateKind } from '#domain/alert/vocabulary/states.ts'

/**
 * Lists in which chat systems put the parts of a message (Slack, Discord, Teams, Google Chat, Mattermost).
 */
const PARTS = [
  'blocks',
  'attachments',
  'embeds',
  'sections',
  'body',
  'items',
  'columns',
  'elements',
  'cards',
  'cardsV2',
  'widgets',
  'facts',
  'fields',
] as const
/** Objects that contain one part. */
const HOLDERS = [
  'content',
  'card',
  'header',
  'text',
  'textParagraph',
  'keyValue',
  'decoratedText',
  'markdown',
  'post',
] as const
const TITLES = ['title', 'pretext', 'activityTitle'] as const
const TEXTS = [
  'text',
  'description',
  'content',
  'activitySubtitle',
  'activityText',
  'subtitle',
  'bottomLabel',
] as const
const FACT_NAMES = ['name', 'title', 'topLabel', 'label', 'key'] as const
const FACT_VALUES = ['value', 'content', 'text'] as const
const CARD_KEYS: ReadonlySet<string> = new Set([...TITLES, ...TEXTS, 'fallback', 'summary'])
const FILE_KEYS = ['base64', 'mimetype', 'mimeType', 'contentBytes', 'filename', 'content_type'] as const
/** Sizes, weights and styles of a heading in an adaptive card. */
const HEADING_LOOKS = ['large', 'extralarge', 'bolder', 'heading']
const NODES_MAX = 96
/** Parts of all lists that are searched for a problem, and those of a list that are told. */
const PARTS_READ_MAX = 512
const PARTS_MAX = 32
const HEADLINE_LENGTH_MAX = 200
const REASON = /^(?:message|description|details?|error|reason)$/i
const SKIPPED_FACT =
  /^(?:time|date|timestamp|started|went o\w+line|total pings|last ping|period|schedule)\b|\burl$/i
/** A field of a Slack section starts with its name in bold, on its own line. */
const BOLD_NAME = /^\*([^*\n]{1,40})\*:?\n(?=\S)/

interface Card {
  titles: string[]
  texts: string[]
  facts: [string, Json][]
  fallback: string
  /** Alerts that are left out, because they are over and others are not. */
  others: number
  /** How many parts may still be searched for a problem. */
  unread: number
}

/** A chat message as `{title, message}` with its facts as fields. */
export interface FlatCard {
  /** For senders, which look facts up by name. */
  readonly forSenders: JsonObject
  /** For `guessReport`. The facts are also lines of the message. */
  readonly forGuess: JsonObject
  /** How many of the alerts in the message are left out. */
  readonly more: number
}

/** Joins the parts of a chat message. `null` for a body without parts. */
export function readCard(value: Json): FlatCard | null {
  if (!isObject(value) || !hasParts(value)) return null
  const card: Card = { titles: [], texts: [], facts: [], fallback: '', others: 0, unread: PARTS_READ_MAX }
  const queue: Json[] = [value]
  let count = 0
  for (let node = queue.shift(); node !== undefined && count < NODES_MAX; node = queue.shift()) {
    count += 1
    if (typeof node === 'string') card.texts.push(node)
    else if (isObject(node)) queue.unshift(...readNode(node, card))
  }
  if (card.titles.length === 0) card.texts.unshift(card.fallback)
  const [title = '', ...more] = [...new Set(card.titles)]
  const unique = new Set([...more, ...card.texts])
  const texts = [...unique].filter(text => text !== '' && text !== title)
  if (title === '' && texts.length === 0 && card.facts.length === 0) return null
  const reason = card.facts.find(([name]) => REASON.test(name))
  const told = [title, ...texts].join(' ')
  const facts = card.facts
    .filter(fact => fact !== reason && !isDispensable(fact, told))
    .map(([name, text]) => `${name}: ${scalarOf(text)}`)
  const why = reason === undefined ? [] : [scalarOf(reason[1])]
  const own = Object.entries(value).filter(([key, field]) => !CARD_KEYS.has(key) && typeof field !== 'object')
  const flat = (fields: Card['facts'], lines: readonly string[]): JsonObject =>
    recordOf([...own, ...fields, ['title', title], ['message', lines.join('\n')]])
  const lines = title === '' ? [...texts, ...why] : [...why, ...texts]
  // A value that a sentence says already would hide the sentence.
  const fresh = card.facts.filter(
    fact => fact === reason || !told.includes(scalarOf(fact[1])) || readState(scalarOf(fact[1])) !== null,
  )
  const forGuess = flat(fresh, [...lines, ...facts])
  return { forSenders: flat(card.facts, lines), forGuess, more: card.others }
}

/** Whether a fact can be left out: the text contains it, it is the state, or readers do not need it. */
export function isDispensable([name, value]: readonly [string, Json], text: string): boolean {
  const isState = /status|state|severity|level|type/i.test(name) && readState(scalarOf(value)) !== null
  return (
    isState ||
    SKIPPED_FACT.test(name) ||
    isDate(scalarOf(value)) ||
    /^https?:\/\/\S+$/.test(scalarOf(value)) ||
    text.includes(scalarOf(value))
  )
}

function hasParts(value: JsonObject): boolean {
  const isList = (list: Json | undefined): boolean =>
    Array.isArray(list) && list.some(part => isObject(part) && !isFile(part))
  return PARTS.some(key => isList(value[key])) || HOLDERS.some(key => isObject(value[key]))
}

/** Whether this is an attached file rather than a part of the message. */
function isFile(part: JsonObject): boolean {
  return FILE_KEYS.some(key => typeof part[key] === 'string')
}

function hasList(node: JsonObject, key: string): boolean {
  const list = node[key]
  return Array.isArray(list) && list.length > 0
}

/** A title may be a link: `[High memory](https://alerts.lan)`. */
function labelOfLink(title: string): string {
  return /^\[([^[\]]+)\]\([^()\s]*\)$/.exec(title)?.[1] ?? title
}

/** Whether this is a text of an adaptive card in large or bold letters. */
function isHeading(node: JsonObject): boolean {
  const looks = [node['size'], node['weight'], node['style']].map(look => scalarOf(look).toLowerCase())
  return node['type'] === 'TextBlock' && looks.some(look => HEADING_LOOKS.includes(look))
}

/** Adds the node's own texts to the card, and returns the parts inside the node. */
function readNode(node: JsonObject, card: Card): readonly Json[] {
  if (scalarOf(node['type']) === 'button') return []
  const fact = readFact(node)
  if (fact !== null) {
    card.facts.push(fact)
    return []
  }
  if (isHeading(node) && card.titles.length + card.texts.length === 0) {
    card.titles.push(scalarOf(node['text']))
    return []
  }
  const isHeader = scalarOf(node['type']) === 'header' || Object.hasOwn(node, 'subtitle')
  const heading = isHeader ? node['text'] : undefined
  if (isObject(heading)) card.titles.push(scalarOf(heading['text']))
  for (const key of TITLES) if (scalarOf(node[key]) !== '') card.titles.push(labelOfLink(scalarOf(node[key])))
  // Most messages with parts also have a short text that repeats the parts, for notifications on a screen.
  const own = scalarOf(node['text']) || scalarOf(node['content'])
  const isShort = own.split(/\s+/, 4).length < 4 || hasList(node, 'blocks')
  const isRepeated = isShort && ['blocks', 'attachments', 'embeds'].some(key => hasList(node, key))
  if (isRepeated) card.fallback ||= own
  const texts = isRepeated ? [] : TEXTS
  for (const key of texts) if (scalarOf(node[key]) !== '') card.texts.push(scalarOf(node[key]))
  const fallback = scalarOf(node['fallback']) || scalarOf(node['summary'])
  card.fallback ||= fallback
  const holders = HOLDERS.flatMap(key =>
    isObject(node[key]) && !(isHeader && key === 'text') ? [node[key]] : [],
  )
  const parts = PARTS.flatMap(key => {
    const list = node[key]
    if (!Array.isArray(list)) return []
    const { parts, others } = worstParts(list.slice(0, Math.max(PARTS_MAX, card.unread)))
    card.unread = Math.max(0, card.unread - list.length)
    card.others += others
    return parts
  })
  return [...holders, ...parts]
}

/** The parts of a list. Of several alerts, of which some are over, those that are not. */
function worstParts(list: readonly Json[]): { parts: readonly JsonObject[]; others: number } {
  const parts = list.filter(isObject).filter(part => !isFile(part))
  const kinds = parts.map(kindOf)
  const isMixed = kinds.includes('good') && kinds.includes('bad')
  const bad = parts.filter((_, index) => kinds[index] === 'bad')
  return {
    parts: (isMixed ? bad : parts).slice(0, PARTS_MAX),
    others: isMixed ? parts.length - bad.length : 0,
  }
}

/** The kind of the state before the first text of a part: `bad` for `[CRITICAL] db1`. */
function kindOf(part: JsonObject): StateKind | null {
  const text = [...TITLES, 'text', 'fallback'].map(key => scalarOf(part[key])).find(one => one !== '') ?? ''
  const { state, stated } = readHeadline(cleanLine(text.slice(0, HEADLINE_LENGTH_MAX)))
  return stated ? (state?.kind ?? null) : null
}

/** Reads a node as a fact: a short name and a value. `null` for any other node. */
function readFact(node: JsonObject): [string, Json] | null {
  const text = scalarOf(node['text'])
  const bold = scalarOf(node['type']) === 'mrkdwn' ? BOLD_NAME.exec(text) : null
  if (bold !== null) return [(bold[1] ?? '').replace(/:$/, ''), text.slice(bold[0].length)]
  const name = FACT_NAMES.map(key => scalarOf(node[key])).find(text => text !== '') ?? ''
  const value = FACT_VALUES.map(key => scalarOf(node[key])).find(text => text !== '' && text !== name) ?? ''
  const isFact = ['value', 'topLabel'].some(key => Object.hasOwn(node, key))
  return isFact && name !== '' && value !== '' && name.length <= 40
    ? [name.replace(/:\s*$/, ''), value]
    : null
}
