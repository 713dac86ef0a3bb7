/** A planted bug. The simulation must find each of them, and must find nothing without one. */
export interface Mutant {
  readonly name: string
  /** The kind of phones in its trials; any kind if absent. */
  readonly phones?: 'asking' | 'taking'
  /** The phone acts on a `go` of any connection, even an old one. */
  readonly phoneTakesOldGo?: boolean
  /** The gateway treats a `begin` on a superseded connection as if it came on the newest one. */
  readonly gatewayTakesOldBegin?: boolean
  /** The gateway takes `accepted` in a later journal of a session as proof that nothing was sent. */
  readonly laterJournalIsProof?: boolean
  /** The phone sends an offered message at once, and its offer is requeued when the connection ends. */
  readonly phoneSendsOnOffer?: boolean
  /** The gateway accepts a late `opened` although a newer connection exists. */
  readonly gatewayTakesLateOpening?: boolean
  /** A phone whose data was wiped keeps its token and goes on fetching messages. */
  readonly phoneForgetsAndStaysRegistered?: boolean
  /** After a crash the phone looks a message up while the command that sends it still runs. */
  readonly phoneLeavesCommandRunning?: boolean
  /** The gateway hands messages of one phone to the next phone as well. */
  readonly gatewayHandsToAnother?: boolean
  /** The gateway believes that a stranger's text is a person's. */
  readonly trustsForgedSender?: boolean
  /** What the gateway gets wrong about each incident when it answers an alarm. */
  readonly tampers?: object
  /** The gateway answers a text as often as a phone hands it in. */
  readonly answersTwice?: boolean
}

export const NO_MUTANT: Mutant = { name: 'none' }
