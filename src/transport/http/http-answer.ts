export const JSON_TYPE = 'application/json; charset=utf-8'

export interface HttpAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  /** What follows `body`, piece by piece, as fast as the caller reads. None: `body` is everything. */
  readonly more?: AsyncIterator<string>
  readonly headers?: Readonly<Record<string, string>>
  /** True: close the connection after this answer. */
  readonly close?: boolean
}
