/** What the traced process prints on standard output, one JSON object a line. */
export interface Said {
  /** The number of commits so far, all of them acknowledged to their callers. */
  readonly count: number
  /** The digest of all rows after this commit. */
  readonly digest: string
}
