/** What the traced process says on standard output, one JSON a line. */
export interface Said {
  /** Commits so far; whoever asked for one of them has been answered. */
  readonly count: number
  /** Of all rows, as they stand after this commit. */
  readonly digest: string
}
