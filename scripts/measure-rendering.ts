/*
 * Makes nasty bodies of up to 2 MiB from those of `test/kit/payloads`, and measures the CPU time of their
 * texts. The slowest are measured three times more, and the best of these counts.
 * `node scripts/measure-rendering.ts [COUNT] [SEED]` prints the slowest bodies of each kind.
 */
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import type { TriggerRequest } from '#contracts/webhook.ts'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { readAlertCases, requestOf, triggerRequest } from '#test/kit/alert-payloads.ts'
import { mutate } from '#test/kit/mutate.ts'
import { Random } from '#test/kit/random.ts'

const BYTES_MAX = CONFIG_DEFAULTS.webhooks.body_bytes_max
/** How many of the slowest bodies are measured again. */
const REPEATED = 80
const LINES =
  'disk /dev/sda1 is down|State: CRITICAL|Erreur réseau|<b>host</b> &amp; co|🔥 alarm|=C3=A4 ok|' +
  '{"a":[1]}|https://example.com/a?b=c|- item [x](y)|Date: 2026-11-24 04:00:00|Resolved after 3m: x|' +
  '[DOWN] nas: timeout|| a | b |'
const LEAVES: readonly unknown[] = [
  'down',
  'CRITICAL',
  17.5,
  null,
  true,
  'disk full on nas',
  '2026-11-24T04:00:00Z',
  '{"a":"b"}',
]
const NAMES = 'status state name message severity labels previous host items errors failed level'.split(' ')

const [count = 5000, seed = 1] = process.argv.slice(2).map(Number)
const random = new Random(seed)
const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T
const requests = [...readAlertCases().values()].flat().map(requestOf)
const texts = requests.map(({ body }) => Buffer.from(body).toString()).filter(text => text !== '')
const objects = texts.flatMap(text => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? [value] : []
  } catch {
    return []
  }
})

/** A size in bytes: most bodies are small, some have the greatest size. */
function sizeOf(): number {
  return random.chance(0.1) ? BYTES_MAX - 1024 : Math.floor(2 ** random.between(8, Math.log2(BYTES_MAX)))
}

function repeat(pieces: readonly string[], join = ''): string {
  const parts: string[] = []
  for (let left = sizeOf(); left > 0; ) {
    const piece = pick(pieces)
    parts.push(piece)
    left -= Math.max(1, Buffer.byteLength(piece)) + join.length
  }
  return parts.join(join)
}

function nested(open: string, inside: string, close: string): string {
  const times = Math.floor(sizeOf() / (open.length + close.length))
  return open.repeat(times) + inside + close.repeat(times)
}

/** A body of the corpus with a value in one of its fields. */
function planted(value: unknown): string {
  const object = structuredClone(pick(objects)) as Record<string, unknown>
  const names = Object.keys(object)
  object[random.chance(0.7) && names.length > 0 ? pick(names) : pick(NAMES)] = value
  return JSON.stringify(object).slice(0, BYTES_MAX)
}

function leaves(): unknown[] {
  const items = Math.floor(sizeOf() / 60)
  return Array.from({ length: items }, (_, at) => ({ [pick(NAMES)]: pick(LEAVES), [`k${at}`]: pick(LEAVES) }))
}

function deep(levels: number): unknown {
  let value: unknown = pick(LEAVES)
  for (let level = 0; level < levels; level++) value = random.chance(0.5) ? [value] : { [pick(NAMES)]: value }
  return value
}

const mail = (encoding: string, text: string, type = 'text/plain; charset=utf-8') =>
  `From: a@b.c\nTo: c@d.e\nSubject: Disk full\nMIME-Version: 1.0\nContent-Type: ${type}\n` +
  `Content-Transfer-Encoding: ${encoding}\n\n${text}`.slice(0, BYTES_MAX)
const base64 = (line: number) =>
  repeat(['A', 'b', '9', '/', '+']).replace(new RegExp(`(.{${line}})`, 'g'), '$1\n')
const form = 'application/x-www-form-urlencoded'

type Made = {
  readonly body: string | Buffer
  readonly contentType?: string
  readonly headers?: Record<string, string>
}
const KINDS: Readonly<Record<string, () => Made>> = {
  'damaged bytes': () => ({ body: mutate(Buffer.from(pick(texts)), random) }),
  'text repeated': () => ({ body: repeat([pick(texts)], '\n') }),
  'texts joined': () => ({ body: repeat(texts.slice(0, 300), pick(['', '\n', ' ', ','])) }),
  'one long line': () => ({ body: planted(repeat(LINES.split('|'), ' ')) }),
  'many lines': () => ({ body: planted(repeat(LINES.split('|'), '\n')) }),
  'bare lines': () => ({ body: repeat(LINES.split('|'), '\n') }),
  'deep arrays': () => ({ body: nested('[', '1', ']') }),
  'deep objects': () => ({ body: nested(`{"${pick(NAMES)}":`, '"down"', '}') }),
  'deep, half open': () => ({ body: repeat(['[', '{"a":', '[1,', '{"status":"down",']) }),
  'deep in a field': () => ({ body: planted(deep(2 + random.below(1500))) }),
  'many leaves': () => ({ body: JSON.stringify(leaves()).slice(0, BYTES_MAX) }),
  'leaves in a field': () => ({ body: planted(leaves()) }),
  'many keys': () => ({
    body: planted(Object.fromEntries(leaves().map((leaf, at) => [`${pick(NAMES)}${at}`, leaf]))),
  }),
  'wide items': () => {
    const width = Math.floor(sizeOf() / 1200)
    const item = () =>
      Object.fromEntries(Array.from({ length: width }, (_, at) => [`k${at}`, pick(['down', 'up', 'a b'])]))
    return { body: planted(Array.from({ length: 64 }, item)) }
  },
  'empty items': () => ({
    body: planted(Array.from({ length: Math.floor(sizeOf() / 3) }, () => (random.chance(0.5) ? [] : {}))),
  }),
  'flat numbers': () => ({
    body: planted(Array.from({ length: Math.floor(sizeOf() / 4) }, () => random.below(99))),
  }),
  'short strings': () => ({
    body: planted(Array.from({ length: Math.floor(sizeOf() / 9) }, () => pick(['down', 'up', 'a b']))),
  }),
  'JSON in JSON': () => ({ body: planted(JSON.stringify(JSON.stringify(leaves().slice(0, 9000)))) }),
  'JSON in message': () => ({
    body: JSON.stringify({ Message: JSON.stringify(leaves()).slice(0, BYTES_MAX / 2) }),
  }),
  'broken JSON': () => ({
    body: planted(leaves()).replace(/"/g, match => (random.chance(0.01) ? "'" : match)),
  }),
  entities: () => ({ body: planted(repeat(['&amp;', '&#128293;', '&lt;b&gt;', '&nbsp;', '&a'])) }),
  markup: () => ({
    body: planted(repeat(['<p>', '<a href="x">y</a>', '<!--', '<style>', '</td>', '<br>', 'x '])),
  }),
  markdown: () => ({ body: planted(repeat(['[a](b)', '**', '`', '| a ', '\n|---|\n', '> ', '# x\n', '_'])) }),
  emoji: () => ({ body: planted(repeat(['🔥', '👩‍👩‍👧', '⚠️', 'a', ':x:', '\u0301', '🇩🇪'])) }),
  'base64 lines': () => ({ body: base64(76) }),
  'base64 in a field': () => ({ body: planted(base64(pick([59, 60, 76, 900]))) }),
  'short base64': () => ({ body: planted(repeat(['data:image/png;base64,AAAA', 'a/b', '%2B', '\\/', ','])) }),
  'quoted-printable': () => ({
    body: mail('quoted-printable', repeat(['=C3=A4', '=\n', '=20', 'ab', '=3D'])),
  }),
  'quoted-printable words': () => ({
    body: mail('quoted-printable', repeat(['=E2=82=AC ', '=FF=', 'x=C3=A4'])),
  }),
  'mail in base64': () => ({ body: mail('base64', base64(76)) }),
  'mail of parts': () => ({
    body: mail(
      '7bit',
      repeat(['\n--x\n\ntext', '\n--x\nContent-Type: text/html\n\n<b>']),
      'multipart/mixed; boundary=x',
    ),
  }),
  'mail in HTML': () => ({
    body: mail('7bit', repeat(['<tr><td>a</td>', '<b>', '&nbsp;', '\n']), 'text/html'),
  }),
  'many mail headers': () => ({
    body: repeat(['From: a\n', 'X-A: b\n', 'Subject: =?UTF-8?B?w6Q=?=\n', ' folded\n']),
  }),
  'long headers': () => ({
    body: pick(texts),
    headers: {
      title: repeat(['=?UTF-8?Q?=C3=A4?= ', '=?', 'ä']).slice(0, 65_536),
      message: repeat(LINES.split('|')).slice(0, 65_536),
    },
  }),
  'form fields': () => ({
    body: repeat(['a=1&', 'message=%20down&', '&', '%', 'b[c]=d&']),
    contentType: form,
  }),
  'form escapes': () => ({ body: `message=${repeat(['%C3%A4', '+', '%', '%FF', 'x'])}`, contentType: form }),
  multipart: () => ({
    body: repeat(['--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n', '--x\r\n', '\r\n']),
    contentType: 'multipart/form-data; boundary=x',
  }),
  XML: () => ({ body: `<?xml version="1.0"?><a>${repeat(['<b>c</b>', '<d e="f"/>', '<g>', '&lt;'])}</a>` }),
  words: () => ({
    body: planted(repeat(['Resolved in 1: ', 'is up ', 'is now ', 'not ', 'a-b_c.', 'Key: v\n', '? '])),
  }),
  'one character': () => ({
    body: planted(
      pick([' ', '\n', '\\', '"', '.', '(', '=', 'a', '-', '\t', '#', '0']).repeat(sizeOf()),
    ).slice(0, BYTES_MAX),
  }),
}

interface Measured {
  readonly kind: string
  readonly request: TriggerRequest
  ms: number
}

function measure(request: TriggerRequest): number {
  const before = process.cpuUsage()
  renderAlert(request, null)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const kinds = Object.entries(KINDS)
const measured: Measured[] = []
for (let at = 0; at < count; at++) {
  const [kind, make] = kinds[at % kinds.length] ?? pick(kinds)
  const { body, contentType, headers } = make()
  const bytes = Buffer.from(body).subarray(0, BYTES_MAX)
  const request = triggerRequest({ body: bytes, contentType: contentType ?? null, headers: headers ?? {} })
  measured.push({ kind, request, ms: measure(request) })
  // Only the slow ones are kept with their bodies.
  if (measured.length > 4 * REPEATED + kinds.length) keepSlow()
}

function keepSlow(): void {
  measured.sort((one, other) => other.ms - one.ms)
  const seen = new Map<string, number>()
  const kept = measured.filter(({ kind }, index) => {
    const times = (seen.get(kind) ?? 0) + 1
    seen.set(kind, times)
    return index < REPEATED || times <= 3
  })
  measured.splice(0, measured.length, ...kept)
}

keepSlow()
for (const one of measured) one.ms = Math.min(...[1, 2, 3].map(() => measure(one.request)))
measured.sort((one, other) => other.ms - one.ms)
const worst = kinds.map(([kind]) => measured.find(one => one.kind === kind)).filter(one => one !== undefined)
for (const { kind, ms, request } of worst.sort((one, other) => other.ms - one.ms))
  console.log(`${kind.padEnd(24)} ${ms.toFixed(0).padStart(5)} ms  ${request.body.length} bytes`)
