/** Bodies that take as much time as possible, for `requests.ts`. */
import { randomBytes } from 'node:crypto'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

export interface CostlyBody {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

const BOMB = Buffer.alloc(64 * 1_048_576, '[')
const JSON_TYPE = { 'Content-Type': 'application/json' }
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' }
/** Fields that some route reads as a list. */
const LISTS = ['recipients', 'allowedIps', 'events', 'to', 'phoneNumbers', 'simCards', 'scopes', 'tags']

/** Bodies of nearly this many bytes, and small ones that unpack to many more. */
export function costlyBodies(bytesMax: number): CostlyBody[] {
  const json = (name: string, text: string) => ({ name, headers: JSON_TYPE, bytes: Buffer.from(text) })
  const form = (name: string, text: string) => ({ name, headers: FORM_TYPE, bytes: Buffer.from(text) })
  const size = bytesMax - 200
  const lists = (entry: string) => {
    const list = `[${fill(entry, size / LISTS.length - 20)}0]`
    return `{${LISTS.map(name => `"${name}":${list}`).join(',')}}`
  }
  const plain = [
    json('numbers in lists', lists('0,')),
    json('objects in lists', lists('{},')),
    json('list of objects', `[${fill('{},', size)}{}]`),
    json('many keys', `{${numbered(size, at => `"k${at}":0,`)}"k":0}`),
    json('deep', '['.repeat(size)),
    json('long number', `{"a":1${'1'.repeat(size)}}`),
    json('tiny numbers', `[${fill('1e-320,', size)}1]`),
    json('escapes', `{"message":"${fill('\\u0041', size)}"}`),
    json('broken text', `{"message":"${fill('a\\n\n', size)}`),
    json('message of brackets', `{"message":"${fill('[{', size)}"}`),
    form('form with one name', fill('a&', size)),
    form(
      'form of many names',
      numbered(size, at => `k${at}=&`),
    ),
    form('percent signs', `message=${fill('%41', size)}`),
    multipart('multipart', size),
  ]
  return [...plain, ...packed(Buffer.from(`[${fill('{},', 262_000)}{}]`))]
}

function packed(list: Buffer): CostlyBody[] {
  const coded = (name: string, coding: string, bytes: Buffer) => ({
    name,
    headers: { ...JSON_TYPE, 'Content-Encoding': coding },
    bytes,
  })
  const window = (bits: number) => ({ params: { [constants.BROTLI_PARAM_LGWIN]: bits } })
  return [
    coded('list in gzip', 'gzip', gzipSync(list)),
    coded('bomb in gzip', 'gzip', gzipSync(BOMB)),
    coded('bomb in deflate', 'deflate', deflateSync(BOMB)),
    coded('bomb in brotli', 'br', brotliCompressSync(BOMB, window(22))),
    coded('bomb in brotli, 16 MiB', 'br', brotliCompressSync(BOMB, window(24))),
    coded('bomb in zstd', 'zstd', zstdCompressSync(BOMB)),
  ]
}

/** A webhook of a phone with as much as possible in each of its parts. */
export function costlyHooks(bytesMax: number): { readonly name: string; readonly text: string }[] {
  const hook = (name: string, payload: string) => ({
    name,
    text: `{"id":"1","event":"system:ping","payload":{${payload}}}`,
  })
  const size = bytesMax - 200
  return [
    hook('attachments', `"attachments":[${fill('{},', size)}{}]`),
    hook('SIMs', `"simCards":[${fill('0,', size)}0]`),
    hook('checks', `"health":{"checks":{${numbered(size, at => `"a${at}":1,`)}"a":1}}`),
    hook('one long text', `"message":"${randomBytes((size * 3) / 4).toString('base64')}"`),
  ]
}

function fill(part: string, length: number): string {
  return part.repeat(Math.max(0, Math.floor(length / part.length) - 2))
}

function numbered(length: number, part: (at: number) => string): string {
  let text = ''
  for (let at = 0; text.length < length - 20; at += 1) text += part(at)
  return text
}

function multipart(name: string, size: number): CostlyBody {
  const part = (at: number) => `--x\r\nContent-Disposition: form-data; name="k${at}"\r\n\r\n\r\n`
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
  return { name, headers, bytes: Buffer.from(`${numbered(size, part)}--x--\r\n`) }
}
