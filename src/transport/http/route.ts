import type * as v from 'valibot'
import type { Role } from '#contracts/user.ts'
import type { Principal } from '#domain/account/principal.ts'
import type { Problem } from '#domain/problem.ts'
import type { RateDecision } from '#domain/rate-limit/rate-limiter.ts'
import type { ClientAddress } from '#transport/http/client-address.ts'
import type { Tag } from '#transport/http/openapi/tags.ts'

/** A request whose body has not been read. */
export interface Head {
  /** In lower case. A HEAD request reaches the GET route. */
  readonly method: Method | 'head'
  /** The values of the path's parameters, in order. */
  readonly parameters: readonly string[]
  header(name: string): string | undefined
  /** Raw, still percent-encoded. */
  readonly rawQuery: string
  client(): ClientAddress
  /** Whether the caller uses HTTPS, as far as the gateway or a trusted proxy knows. */
  isSecure(): boolean
  /**
   * Counts the call against the rate limit of the caller, or of its address if the caller is unknown (null).
   * For routes that authenticate the caller themselves.
   *
   * @throws Problem RATE_LIMIT_EXCEEDED
   */
  count(principal: Principal | null): void
  /** Sets the rate limit that the headers of the answer show. */
  showRate(rate: RateDecision): void
  /**
   * Sets the most bytes that the body may have, packed and unpacked, and whose account's it is. Default:
   * `http.body_bytes_max`.
   */
  limitBody(bytesMax: number, accountId?: string): void
  /** Names fields in `X-Roost-Ignored`; empty: none. For routes that read their fields themselves. */
  ignore(names: string): void
  /** Names numbers that got no text, because they want no more, in `X-Roost-Opted-Out`. */
  leaveOut(numbers: readonly string[]): void
  /** Calls `done` once, when the call is over, however it ends. */
  onEnd(done: () => void): void
  readonly requestId: string
}

/** A request as a route gets it: within the rate limits, and with its body read. */
export interface Call extends Head {
  /** The parsed body; only for routes with `body: 'json'` or `body: 'fields'`. */
  readonly json: unknown
  /** The body, unpacked. */
  readonly bytes: Buffer
}

/** A call whose caller was authenticated. */
export interface AuthorizedCall extends Call {
  readonly principal: Principal
  /** The id of the user or the key that calls. A command that is asked with it is in the audit list. */
  readonly by: string
}

/** The answer of a route: `data` for the envelope, or a raw body. */
export type Answer =
  | {
      readonly data: unknown
      readonly page?: { readonly nextCursor: string | null; readonly lookedBackTo?: string | null }
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      /** `data` as JSON text. */
      readonly dataJson: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      readonly raw: string | Uint8Array
      /** What follows `raw`, in pieces that are made when the caller has read those before. */
      readonly more?: AsyncIterator<string>
      readonly contentType: string
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
    }

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** A refusal in another gateway's format. The headers of Roost's own refusal are added. */
export interface ShapedRefusal {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** Formats a refusal. `status`: the status of Roost's own refusal. */
export type FormatRefusal = (problem: Problem, status: number) => ShapedRefusal

export interface RouteBase {
  readonly method: Method
  /** The path, with `{name}` for parameters as in OpenAPI. */
  readonly path: string
  /** Other spellings of the path with the same parameters. OpenAPI does not list them. */
  readonly aliases?: readonly string[]
  /** `json`: JSON with a JSON Content-Type or none. `fields`: JSON with any Content-Type, or a form. */
  readonly body: 'json' | 'fields' | 'bytes' | 'none'
  /** An empty body counts as `{}`, because all fields are optional. */
  readonly mayBeEmpty?: true
  /**
   * Whether the route matches a request with these parameters; by default it does. A path that only such
   * routes match is never answered 405.
   */
  readonly matches?: (
    parameters: readonly string[],
    request: { readonly path: string; readonly query: string },
  ) => boolean
  /** Whether a name in the body is a field. By default, the fields are those of `operation.request`. */
  readonly isField?: (name: string, value: unknown) => boolean
  /** Formats refusals as another gateway does. Default: Roost's envelope. */
  readonly refusal?: FormatRefusal
  /** The route's part of the OpenAPI document. All routes below /api/v1 have one. */
  readonly operation?: Operation
}

/** What OpenAPI says about a route. */
export interface Operation {
  /** The `operationId`, such as `sendSms`, from which generators make the name of a method. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  /** What the summary leaves out: units, bounds, and what each refusal means. */
  readonly description: string
  /** The path's parameters, by name. */
  readonly parameters?: Readonly<Record<string, { readonly description: string; readonly example: string }>>
  readonly request?: v.GenericSchema
  readonly response: v.GenericSchema
  readonly query?: v.GenericSchema
  /** The statuses of this route's refusals; those of all routes are added. */
  readonly problems: readonly number[]
  /** A realistic body, and realistic `data` of the answer. A test validates them against the schemas. */
  readonly example: { readonly request?: unknown; readonly data: unknown }
  /** The content type of an answer without the envelope. */
  readonly bare?: string
}

/** Answers a call whose caller is known. */
export type Handle = (call: Call) => Answer | Promise<Answer>

/** What a caller must show. `session`: the console alone, whose routes are not in the OpenAPI document. */
export type Access = 'key' | 'account' | 'session'

/**
 * Who may call a route. `key`: an API key, an account token or a session. `account`: an account token or a
 * session. `public`: anyone; calls are counted by address. The caller is known before the body is read, so a
 * public route with a body either reads its credential in `admit`, or says that the body contains it.
 */
export type Route =
  | (RouteBase & {
      readonly access: Access
      /** The least role of a user who may call the route. A key belongs to the account. */
      readonly role: Role
      handle(call: AuthorizedCall): Answer | Promise<Answer>
    })
  | (PublicRoute & { readonly body: 'none'; readonly handle: Handle })
  | (PublicRoute & {
      readonly body: 'bytes'
      readonly counted: false
      /**
       * Finds the caller by the head, and counts the call. The result handles the call.
       *
       * @throws Problem for an unknown caller: its body is not read
       */
      readonly admit: (head: Head) => Handle
    })
  | (PublicRoute & {
      readonly body: 'json' | 'bytes'
      /** The body has the credential. So the body of any caller is read, up to `STRANGER_BYTES_MAX`. */
      readonly credential: 'body'
      readonly handle: Handle
    })

interface PublicRoute extends RouteBase {
  readonly access: 'public'
  /**
   * False: the route counts its calls itself. Unless it sets another rate limit, the answer's headers show
   * the limit of the caller's address.
   */
  readonly counted?: false
}
