import { PendingAnswers } from '#app/metrics/pending-answers.ts'
import { type ClusterState, LEASE_S } from '#contracts/cluster.ts'
import type {
  ClusterAnswer,
  ClusterQuestion,
  CopyPiece,
  CopyQuestion,
  ListenerControl,
  ListenerNews,
} from '#contracts/thread-frames.ts'
import { Problem } from '#domain/problem.ts'
import { openLeadership } from '#rate-limit/leadership.ts'

/** A function that says whether this gateway leads its cluster. */
export function mayPassOf(buffer: SharedArrayBuffer): () => boolean {
  const leadership = openLeadership(buffer)
  return () => leadership.holds()
}

/** A listener's questions about the cluster to the main thread. */
export class ClusterQuestions {
  readonly leads: () => boolean
  readonly #tell: (news: ListenerNews) => void
  readonly #pending = new PendingAnswers<ClusterAnswer>(1_000 * LEASE_S)

  constructor(leadership: SharedArrayBuffer, tell: (news: ListenerNews) => void) {
    this.leads = mayPassOf(leadership)
    this.#tell = tell
  }

  readonly readState = (): Promise<ClusterState> => this.#ask('state') as Promise<ClusterState>

  readonly readCopy = (question: CopyQuestion): Promise<CopyPiece> =>
    this.#ask(question) as Promise<CopyPiece>

  /** Resolves once the other members can read the secrets as they are now. */
  readonly shareSecrets = async (): Promise<void> => {
    await this.#ask('share-secrets')
  }

  /** Handles a control message if it is an answer; false: it is not. */
  take(control: ListenerControl): boolean {
    if (control.kind !== 'cluster') return false
    this.#pending.settle(control.id, control.answer)
    return true
  }

  /** @throws Problem */
  async #ask(question: ClusterQuestion): Promise<ClusterAnswer> {
    const answer = await this.#pending.ask(id => this.#tell({ kind: 'ask-cluster', id, question }))
    if (answer === null)
      throw new Problem('SERVICE_UNAVAILABLE', 'the main thread is busy', { retryAfterS: 5 })
    if ('problem' in answer) throw Problem.from(answer.problem)
    return answer
  }
}
