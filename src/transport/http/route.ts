import type * as v from 'valibot'
import type { Principal } from '#domain/account/principal.ts'
import type { Problem } from '#domain/problem.ts'
import type { RateDecision } from '#domain/rate-limit/rate-limiter.ts'
import type { ClientAddress } from '#transport/http/client-address.ts'
import type { Tag } from '#transport/http/openapi/tags.ts'

/** A request as a route gets it: within the rate limits, and with its body read. */
export interface Call {
  /** In lower case. A HEAD request reaches the GET route. */
  readonly method: Method | 'head'
  /** The values of the path's parameters, in order. */
  readonly parameters: readonly string[]
  header(name: string): string | undefined
  /** The parsed body; only for routes with `body: 'json'` or `body: 'fields'`. */
  readonly json: unknown
  readonly bytes: Buffer
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
  readonly requestId: string
}

/** A call whose caller was authenticated. */
export interface AuthorizedCall extends Call {
  readonly principal: Principal
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

interface RouteBase {
  readonly method: Method
  /** The path, with `{name}` for parameters as in OpenAPI. */
  readonly path: string
  /** Other spellings of the path with the same parameters. OpenAPI does not list them. */
  readonly aliases?: readonly string[]
  /** Longest body of this route, bytes; called before the body is read. Default: `http.body_bytes_max`. */
  readonly bodyBytesMax?: (parameters: readonly string[]) => number
  /** `json`: JSON with a JSON Content-Type or none. `fields`: JSON with any Content-Type, or a form. */
  readonly body: 'json' | 'fields' | 'bytes' | 'none'
  /** An empty body counts as `{}`, because all fields are optional. */
  readonly mayBeEmpty?: true
  /**
   * Whether the route matches a path with these parameters; by default it does. A path that only such routes
   * match is never answered 405.
   */
  readonly matches?: (parameters: readonly string[]) => boolean
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
  readonly request?: v.GenericSchema
  readonly response: v.GenericSchema
  readonly query?: v.GenericSchema
  /** The statuses of this route's refusals; those of all routes are added. */
  readonly problems: readonly number[]
  readonly description?: string
  /** A realistic body, and realistic `data` of the answer. */
  readonly example?: { readonly request?: unknown; readonly data?: unknown }
  /** The content type of an answer without the envelope. */
  readonly bare?: string
}

/**
 * Who may call a route. `key`: an API key, an account token or a session. `account`: an account token or a
 * session. `public`: anyone; calls are counted by address.
 */
export type Route =
  | (RouteBase & {
      readonly access: 'key' | 'account'
      handle(call: AuthorizedCall): Answer | Promise<Answer>
    })
  | (RouteBase & {
      readonly access: 'public'
      /**
       * False: the route counts its calls itself. Unless it sets another rate limit, the answer's headers
       * show the limit of the caller's address.
       */
      readonly counted?: false
      handle(call: Call): Answer | Promise<Answer>
    })
