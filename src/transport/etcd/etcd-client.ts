/**
 * The few calls of etcd that a cluster needs, through etcd's JSON gateway.
 *
 * @see https://etcd.io/docs/v3.4/dev-guide/api_grpc_gateway/
 */
import { Agent, request } from 'undici'
import * as v from 'valibot'

/** A call that gets no answer in this time is repeated at another endpoint. */
const CALL_MS_MAX = 1_000
/** An answer with a thousand entries of 1 kB, or a few long ones. */
const UNAUTHENTICATED = 16

export interface EtcdOptions {
  readonly endpoints: readonly string[]
  /** PEM; null: the authorities that Node.js knows, or no certificate. */
  readonly ca: string | null
  readonly cert: string | null
  readonly key: string | null
  /** Null: etcd asks for none. */
  readonly user: { readonly name: string; readonly password: string } | null
}

/** etcd refused the call. All other failures mean that it is not known what became of it. */
export class EtcdRefusal extends Error {
  readonly etcdCode: number

  constructor(message: string, etcdCode: number) {
    super(message)
    this.etcdCode = etcdCode
  }
}

export interface KeyValue {
  readonly key: string
  readonly value: Buffer
  readonly createRevision: string
  readonly modRevision: string
}

/** What must be true of a key. `version` 0: the key does not exist; `exists`: it does. */
export type Comparison =
  | { readonly key: string; readonly exists: boolean }
  | { readonly key: string; readonly createRevision: string }
  | { readonly key: string; readonly value: string }

export type Operation =
  | { readonly get: string; readonly keysOnly?: boolean }
  /** All keys from `from` up to and without `to`. */
  | {
      readonly range: { readonly from: string; readonly to: string }
      readonly limit?: number
      readonly order?: 'ASCEND' | 'DESCEND'
      readonly keysOnly?: boolean
    }
  | { readonly put: string; readonly value: Uint8Array | string; readonly lease?: string }
  | { readonly delete: string; readonly to?: string }

export interface TransactionResult {
  readonly succeeded: boolean
  /** The keys that each operation found, in the order of the operations. */
  readonly found: readonly (readonly KeyValue[])[]
  readonly revision: string
}

/** What a cluster needs of etcd. Every call throws if it is not known to have been carried out. */
export interface Etcd {
  transact(
    when: readonly Comparison[],
    then: readonly Operation[],
    otherwise?: readonly Operation[],
  ): Promise<TransactionResult>
  /** Makes a lease; returns its id. */
  grant(seconds: number): Promise<string>
  /** Whether the lease was alive and is renewed. */
  keepAlive(lease: string): Promise<boolean>
  revoke(lease: string): Promise<void>
  /** Forgets old versions of all keys, up to this revision. */
  compact(revision: string): Promise<void>
}

const Range = v.object({
  kvs: v.optional(
    v.array(
      v.object({
        key: v.string(),
        value: v.optional(v.string(), ''),
        create_revision: v.string(),
        mod_revision: v.string(),
      }),
    ),
    [],
  ),
})
const Header = v.object({ revision: v.string() })
const Transaction = v.object({
  header: Header,
  // The gateway leaves out `false`.
  succeeded: v.optional(v.boolean(), false),
  responses: v.optional(v.array(v.object({ response_range: v.optional(Range) })), []),
})
const Granted = v.object({ ID: v.string() })
const KeptAlive = v.object({ result: v.object({ ID: v.string(), TTL: v.optional(v.string(), '0') }) })
const Refused = v.object({ error: v.optional(v.string()), message: v.optional(v.string()), code: v.number() })
const Authenticated = v.object({ token: v.string() })

export class EtcdClient implements Etcd {
  readonly #options: EtcdOptions
  readonly #agent: Agent
  /** The endpoint that answered last. */
  #endpoint = 0
  #token: string | null = null

  constructor(options: EtcdOptions) {
    this.#options = options
    const { ca, cert, key } = options
    const connect = {
      ...(ca !== null && { ca }),
      ...(cert !== null && { cert }),
      ...(key !== null && { key }),
      timeout: CALL_MS_MAX,
    }
    this.#agent = new Agent({ connect, connections: 8, keepAliveTimeout: 30_000 })
  }

  async transact(
    when: readonly Comparison[],
    then: readonly Operation[],
    otherwise: readonly Operation[] = [],
  ): Promise<TransactionResult> {
    const body = { compare: when.map(compare), success: then.map(operate), failure: otherwise.map(operate) }
    const { header, succeeded, responses } = await this.#call('kv/txn', body, Transaction)
    const found = responses.map(({ response_range: range }) => (range?.kvs ?? []).map(read))
    return { succeeded, found, revision: header.revision }
  }

  async grant(seconds: number): Promise<string> {
    return (await this.#call('lease/grant', { TTL: String(seconds) }, Granted)).ID
  }

  async keepAlive(lease: string): Promise<boolean> {
    const { result } = await this.#call('lease/keepalive', { ID: lease }, KeptAlive)
    return result.TTL !== '0'
  }

  async revoke(lease: string): Promise<void> {
    await this.#call('lease/revoke', { ID: lease }, v.object({ header: Header }))
  }

  async compact(revision: string): Promise<void> {
    await this.#call('kv/compaction', { revision }, v.object({ header: Header }))
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  /** Asks one endpoint. After a failure the next call asks another one. */
  async #call<T extends v.GenericSchema>(path: string, body: object, schema: T): Promise<v.InferOutput<T>> {
    const asked = this.#endpoint
    try {
      if (this.#options.user !== null && path !== 'auth/authenticate') this.#token ??= await this.#logIn()
      return v.parse(schema, await this.#post(path, body))
    } catch (error) {
      if (error instanceof EtcdRefusal && error.etcdCode === UNAUTHENTICATED) this.#token = null
      // Calls that failed together at one endpoint move on by one.
      if (this.#endpoint === asked) this.#endpoint += 1
      throw error
    }
  }

  async #logIn(): Promise<string> {
    const { user } = this.#options
    const read = v.parse(Authenticated, await this.#post('auth/authenticate', { ...user }))
    return read.token
  }

  async #post(path: string, body: object): Promise<unknown> {
    const { endpoints } = this.#options
    const endpoint = endpoints[this.#endpoint % endpoints.length] ?? ''
    const { statusCode, body: answer } = await request(`${endpoint.replace(/\/+$/, '')}/v3/${path}`, {
      method: 'POST',
      dispatcher: this.#agent,
      signal: AbortSignal.timeout(CALL_MS_MAX),
      headers: this.#token === null ? {} : { authorization: this.#token },
      body: JSON.stringify(body),
    })
    const json = await answer.json()
    if (statusCode === 200) return json
    const refused = v.safeParse(Refused, json)
    if (!refused.success) throw new Error(`etcd answered ${statusCode}`)
    const { error, message, code } = refused.output
    throw new EtcdRefusal(`etcd refused: ${error ?? message}`, code)
  }
}

function compare(one: Comparison): object {
  const key = encode(one.key)
  if ('exists' in one)
    return { key, target: 'VERSION', result: one.exists ? 'GREATER' : 'EQUAL', version: '0' }
  if ('value' in one) return { key, target: 'VALUE', result: 'EQUAL', value: encode(one.value) }
  return { key, target: 'CREATE', result: 'EQUAL', create_revision: one.createRevision }
}

function operate(one: Operation): object {
  if ('get' in one) return { request_range: { key: encode(one.get), keys_only: one.keysOnly ?? false } }
  if ('put' in one) {
    const { put, value, lease } = one
    return { request_put: { key: encode(put), value: encode(value), ...(lease && { lease }) } }
  }
  if ('delete' in one) {
    const { delete: key, to } = one
    return { request_delete_range: { key: encode(key), ...(to && { range_end: encode(to) }) } }
  }
  const { range, limit = 0, order = 'ASCEND', keysOnly = false } = one
  return {
    request_range: {
      key: encode(range.from),
      range_end: encode(range.to),
      limit: String(limit),
      sort_order: order,
      sort_target: 'KEY',
      keys_only: keysOnly,
    },
  }
}

function read(found: v.InferOutput<typeof Range>['kvs'][number]): KeyValue {
  return {
    key: Buffer.from(found.key, 'base64').toString(),
    value: Buffer.from(found.value, 'base64'),
    createRevision: found.create_revision,
    modRevision: found.mod_revision,
  }
}

function encode(value: Uint8Array | string): string {
  return Buffer.from(value).toString('base64')
}
