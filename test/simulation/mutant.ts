/** A planted bug: the simulation must find each of them, and nothing without one. */
export interface Mutant {
  readonly name: string
  /** The kind of phones that its trials have; any when left out. */
  readonly phones?: 'asking' | 'taking'
  /** The phone acts on a `go` whichever connection brings it. */
  readonly phoneTakesOldGo?: boolean
  /** A `begin` of a superseded connection counts as said on the newest one. */
  readonly gatewayTakesOldBegin?: boolean
  /** `accepted` in a later journal of a session counts as proof that nothing was sent. */
  readonly laterJournalIsProof?: boolean
  /** The phone sends what it is offered at once; an offer is requeued when its connection ends. */
  readonly phoneSendsOnOffer?: boolean
  /** An `opened` that was on its way for long counts, although a newer connection is there. */
  readonly gatewayTakesLateOpening?: boolean
  /** A phone that lost what it knew takes messages as if nothing had happened. */
  readonly phoneForgetsAndStaysRegistered?: boolean
  /** What one phone was handed is handed to the next one, too. */
  readonly gatewayHandsToAnother?: boolean
}

export const NO_MUTANT: Mutant = { name: 'none' }
