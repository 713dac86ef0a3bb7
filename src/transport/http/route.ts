import type * as v from 'valibot'
import type { Principal } from '#domain/account/principal.ts'
import type { Problem } from '#domain/problem.ts'
import type { Take } from '#domain/rate-limit/rate-limiter.ts'
import type { ClientAddress } from '#transport/http/client-address.ts'
import type { Tag } from '#transport/http/openapi/tags.ts'

/** A request as a route sees it: authenticated, within its limits, its body parsed. */
export interface Call {
  /** In lower case. A HEAD reaches the route of its GET. */
  readonly method: Method | 'head'
  /** The values of the path's `{…}`, in order. */
  readonly parameters: readonly string[]
  header(name: string): string | undefined
  /** The parsed object of a route with `body: 'json'` or `body: 'fields'`. */
  readonly json: unknown
  readonly bytes: Buffer
  /** Raw, still percent-encoded. */
  readonly rawQuery: string
  client(): ClientAddress
  /** It came over HTTPS, as far as the gateway or a trusted proxy knows. */
  isSecure(): boolean
  /**
   * Takes the call from the bucket of the caller, or of its address if the caller is unknown: for a route
   * that reads its credential itself.
   *
   * @throws Problem RATE_LIMIT_EXCEEDED
   */
  count(principal: Principal | null): void
  /** Makes the answer, or the refusal, show this rate limit. */
  showRate(rate: Take): void
  readonly requestId: string
}

export interface AuthorizedCall extends Call {
  readonly principal: Principal
}

/** What a route answers: `data` in the envelope, or a body of its own kind. */
export type Answer =
  | {
      readonly data: unknown
      readonly page?: { readonly nextCursor: string | null; readonly lookedBackTo?: string | null }
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      /** The `data` as JSON already. */
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

/** A refusal as another gateway words it, beside the headers that ours has. */
export interface ShapedRefusal {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** `status` is the one that our own refusal has. */
export type Refusal = (problem: Problem, status: number) => ShapedRefusal

interface RouteBase {
  readonly method: Method
  /** With `{name}` for parameters, as in OpenAPI. */
  readonly path: string
  /** Other spellings of the path, with the same parameters; the description of the API leaves them out. */
  readonly aliases?: readonly string[]
  /** Of this route's bodies, when it is not that of the configuration; asked before the body is read. */
  readonly bodyBytesMax?: (parameters: readonly string[]) => number
  /** `json` wants JSON declared as such or not declared; `fields` takes JSON under any type, and forms. */
  readonly body: 'json' | 'fields' | 'bytes' | 'none'
  /** Every field may be left out: an empty body counts as `{}`. */
  readonly mayBeEmpty?: true
  /**
   * Whether the route accepts these path parameters; if not, the route does not match. Such a path is never
   * answered 405.
   */
  readonly matches?: (parameters: readonly string[]) => boolean
  /** Refusals in the shape of another gateway; ours when it is left out. */
  readonly refusal?: Refusal
  /** Its part of the API description; every route under /api/v1 has one. */
  readonly operation?: Operation
}

export interface Operation {
  /** The name that programs made from the description call it by, like `sendSms`. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly request?: v.GenericSchema
  readonly response: v.GenericSchema
  readonly query?: v.GenericSchema
  /** The statuses of refusals that belong to this route; those of every route are added. */
  readonly problems: readonly number[]
  readonly description?: string
  /** A realistic body and `data` of an answer. */
  readonly example?: { readonly request?: unknown; readonly data?: unknown }
  /** The content type of an answer that comes without the envelope. */
  readonly bare?: string
}

/**
 * `key`: an API key, an account token or a session. `account`: no key. `public`: anybody, counted by address.
 */
export type Route =
  | (RouteBase & {
      readonly access: 'key' | 'account'
      handle(call: AuthorizedCall): Answer | Promise<Answer>
    })
  | (RouteBase & {
      readonly access: 'public'
      /** false: the route limits its callers itself; the address's bucket is shown and nothing taken. */
      readonly counted?: false
      handle(call: Call): Answer | Promise<Answer>
    })
