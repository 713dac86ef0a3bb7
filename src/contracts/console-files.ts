/** One file of the console, in each encoding in which it is served. */
export interface ConsoleFile {
  /** Path below the gateway's address, without a leading slash; empty for the console's page. */
  readonly path: string
  readonly contentType: string
  readonly plain: Uint8Array
  readonly gzip: Uint8Array
  readonly br: Uint8Array
}
