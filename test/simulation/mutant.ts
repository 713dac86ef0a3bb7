/** A planted bug: the simulation must find each of them, and nothing without one. */
export interface Mutant {
  readonly name: string
  /** The phone acts on a `go` whichever connection brings it. */
  readonly phoneTakesOldGo?: boolean
  /** A `begin` of a superseded connection counts as said on the newest one. */
  readonly gatewayTakesOldBegin?: boolean
  /** `accepted` in a later `sync` of a session counts as proof that nothing was sent. */
  readonly laterSyncIsProof?: boolean
  /** The phone sends what it is offered at once; an offer is requeued when its connection ends. */
  readonly phoneSendsOnOffer?: boolean
  /** A `hello` that was on its way for long counts, although a newer connection is there. */
  readonly gatewayTakesLateHello?: boolean
}

export const NO_MUTANT: Mutant = { name: 'none' }
