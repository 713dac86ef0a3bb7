/** One file of the console as it is handed out. */
export interface ConsoleFile {
  /** Below the gateway's address; empty for the console. */
  readonly path: string
  readonly contentType: string
  readonly plain: Uint8Array
  readonly gzip: Uint8Array
  readonly br: Uint8Array
}
