/** Account tokens that must be refused, each with one fault. */
import {
  createHmac,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
} from 'node:crypto'

export interface GoodToken {
  /** The key that it is signed with. */
  readonly key: Uint8Array
  /** The account that the token belongs to. */
  readonly accountId: string
  /** The token itself. */
  readonly good: string
}

type Claims = Record<string, unknown>
type Named = readonly [name: string, token: string]

const HOUR_S = 3600

export function badTokens({ key, accountId, good }: GoodToken): Named[] {
  const nowS = Math.floor(Date.now() / 1000)
  const claims: Claims = {
    iss: 'roost',
    aud: 'roost-api',
    sub: accountId,
    iat: nowS,
    exp: nowS + HOUR_S,
    jti: randomUUID(),
  }
  const hs256 = { alg: 'HS256', typ: 'JWT' }
  const signed = (change: Claims, header: object = hs256, secret: Uint8Array | string = key) =>
    sign({ header, payload: { ...claims, ...change }, digest: 'sha256', secret })
  const without = (claim: string) => signed({ [claim]: undefined })
  const [head, body, signature] = good.split('.')
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = createPublicKey(rsa.privateKey).export({ type: 'spki', format: 'pem' })
  const forged = encode({ ...claims, sub: 'acc_00000000000000000000000000' })
  return [
    ['alg none without a signature', `${encode({ alg: 'none' })}.${encode(claims)}.`],
    ['alg none with the signature of a good one', `${encode({ alg: 'none' })}.${body}.${signature}`],
    ['alg nOnE', `${encode({ alg: 'nOnE' })}.${encode(claims)}.`],
    ['no alg at all', signed({}, { typ: 'JWT' })],
    [
      'HS384 with the right key',
      sign({ header: { alg: 'HS384' }, payload: claims, digest: 'sha384', secret: key }),
    ],
    [
      'HS512 with the right key',
      sign({ header: { alg: 'HS512' }, payload: claims, digest: 'sha512', secret: key }),
    ],
    [
      'RS256 with a key of the sender',
      rsaSigned(claims, rsa.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    ],
    ['HS256 keyed with a public key', signed({}, hs256, String(pem))],
    ['a key in the header', signed({}, { ...hs256, jwk: { kty: 'oct', k: 'AAAA' } }, Buffer.alloc(3))],
    ['a key file in the header', signed({}, { ...hs256, kid: '/dev/null' }, '')],
    ['an unknown critical extension', signed({}, { ...hs256, crit: ['exp2'], exp2: 1 })],
    ['another key', signed({}, hs256, randomBytes(32))],
    ['the empty key', signed({}, hs256, '')],
    ['another issuer', signed({ iss: 'other' })],
    ['no issuer', without('iss')],
    ['another audience', signed({ aud: 'other-api' })],
    ['no audience', without('aud')],
    ['expired', signed({ exp: nowS - 1 })],
    ['an expiry that is text', signed({ exp: String(nowS + HOUR_S) })],
    ['no expiry', without('exp')],
    ['an expiry in a hundred years', signed({ exp: nowS + 100 * 366 * 24 * HOUR_S })],
    ['not valid yet', signed({ nbf: nowS + HOUR_S })],
    ['no subject', without('sub')],
    ['a subject that is a number', signed({ sub: 1 })],
    ['an account that does not exist', signed({ sub: 'acc_00000000000000000000000000' })],
    ['no id', without('jti')],
    [
      'claims that are a list',
      `${encode(hs256)}.${encode([])}.${mac(`${encode(hs256)}.${encode([])}`, key)}`,
    ],
    ['claims exchanged', `${head}.${forged}.${signature}`],
    ...damaged(good),
    ['3,000 characters', 'A'.repeat(3000)],
    ['3,000 characters of well signed claims', signed({ more: 'x'.repeat(2200) })],
    ['text that is not a token', 'undefined'],
  ]
}

/** Copies of a good token, each damaged in one place. */
function damaged(good: string): Named[] {
  const [head = '', body = '', signature = ''] = good.split('.')
  return [
    ['the signature cut by one character', good.slice(0, -1)],
    ['no signature', `${head}.${body}.`],
    ['no third part', `${head}.${body}`],
    ['a fourth part', `${good}.`],
    ['five parts', `${good}.${signature}.${signature}`],
    ['dots alone', '..'],
    ['the first bit of the signature flipped', `${head}.${body}.${withFirstBitFlipped(signature)}`],
  ]
}

interface Signing {
  readonly header: object
  readonly payload: object
  readonly digest: string
  readonly secret: Uint8Array | string
}

function sign({ header, payload, digest, secret }: Signing): string {
  const text = `${encode(header)}.${encode(payload)}`
  return `${text}.${createHmac(digest, secret).update(text).digest('base64url')}`
}

function mac(text: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

function rsaSigned(payload: object, pem: string | Buffer): string {
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(payload)}`
  return `${text}.${createSign('sha256').update(text).sign(String(pem), 'base64url')}`
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function withFirstBitFlipped(signature: string): string {
  const bytes = Buffer.from(signature, 'base64url')
  bytes[0] = (bytes[0] ?? 0) ^ 0x80
  return bytes.toString('base64url')
}
