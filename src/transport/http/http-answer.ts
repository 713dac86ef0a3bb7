export const JSON_TYPE = 'application/json; charset=utf-8'

export interface HttpAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** True: close the connection after this answer. */
  readonly close?: boolean
}
