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

export const STATUS_LINES: Readonly<Record<number, string>> = {
  200: '200 OK',
  201: '201 Created',
  202: '202 Accepted',
  204: '204 No Content',
  302: '302 Found',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  409: '409 Conflict',
  413: '413 Payload Too Large',
  415: '415 Unsupported Media Type',
  422: '422 Unprocessable Content',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  501: '501 Not Implemented',
  503: '503 Service Unavailable',
}
