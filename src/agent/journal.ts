/**
 * The messages of this device, in memory and on disk. A change reaches memory only after it is on disk, so a
 * crash cannot lose a state that the agent has reported or acted on.
 *
 * Texts and phone numbers are removed once they are not needed. They leave the memory when the message was
 * sent or has ended. A one-time code leaves the file at the same time. Other texts leave the file when it is
 * rewritten: when the journal needs no text at all any more, or when the file has grown too long.
 */
import * as v from 'valibot'
import { JournalFile } from '#agent/journal-file.ts'
import {
  type Change,
  type Entry,
  type Finished,
  JournalRecord,
  type Received,
} from '#agent/journal-record.ts'

/** The journal is rewritten when it exceeds both this and twice its size after the last rewrite. */
export const AGENT_JOURNAL_BYTES_MAX = 262_144
/** Finished messages kept in the journal, without number and text, so that none is sent twice. */
export const AGENT_FINISHED_MAX = 500

export class Journal {
  readonly #messages = new Map<string, Entry>()
  /** Oldest first. */
  readonly #finished = new Map<string, Finished>()
  readonly #received = new Map<string, Received>()
  #cursor: string | null = null
  /** Whether the file contains texts that nothing needs any more. */
  #hasOldTexts = false
  readonly #file: JournalFile
  #bytesAfterRewrite: number

  private constructor(file: string) {
    this.#file = JournalFile.open(file, record => this.#apply(v.parse(JournalRecord, record)))
    this.#bytesAfterRewrite = this.#rewrite()
  }

  /**
   * Opens the journal. The caller must hold the lock of the state file. @throws AgentError if it is damaged
   */
  static open(file: string): Journal {
    return new Journal(file)
  }

  /** Messages by id, in the order in which they were offered. */
  get messages(): ReadonlyMap<string, Entry> {
    return this.#messages
  }

  get finished(): ReadonlyMap<string, Finished> {
    return this.#finished
  }

  get received(): ReadonlyMap<string, Received> {
    return this.#received
  }

  /** How far the phone's inbox was read, in a form that only the driver understands. */
  get cursor(): string | null {
    return this.#cursor
  }

  accept(entry: Entry): void {
    this.#write({ type: 'accepted', entry })
  }

  change(messageId: string, change: Change): Entry {
    this.#write({ type: 'changed', messageId, change })
    const entry = this.#messages.get(messageId)
    if (entry === undefined) throw new Error(`No message ${messageId} in the journal.`)
    return entry
  }

  forget(messageId: string): void {
    this.#write({ type: 'forgotten', messageId })
  }

  finish({ messageId, attempt, state, code }: Entry): void {
    this.#write({ type: 'finished', finished: { messageId, attempt, state, code } })
  }

  receive(messages: readonly Received[], cursor: string | null): void {
    this.#write({ type: 'received', cursor, messages: [...messages] })
  }

  receivedAcked(id: string): void {
    this.#write({ type: 'received-acked', id })
  }

  close(): void {
    this.#file.close()
  }

  #write(record: JournalRecord): void {
    this.#file.append(record)
    const freed = this.#textFreedBy(record)
    this.#apply(record)
    if (freed !== null) this.#hasOldTexts = true
    const isTooLong = this.#file.bytes > Math.max(AGENT_JOURNAL_BYTES_MAX, 2 * this.#bytesAfterRewrite)
    const isRemovalDue = freed === '2fa' || (this.#hasOldTexts && !this.#hasTexts())
    if (isTooLong || isRemovalDue) this.#bytesAfterRewrite = this.#rewrite()
  }

  /** The kind of the text that nothing needs after this record. Null: the record frees no text. */
  #textFreedBy(record: JournalRecord): Entry['kind'] | 'received' | null {
    if (record.type === 'received-acked') return 'received'
    if (record.type === 'received' || record.type === 'accepted') return null
    const held = this.#messages.get(idOf(record))
    if (held === undefined || held.message === '') return null
    const isKept = record.type === 'changed' && needsText(record.change.state)
    return isKept ? null : held.kind
  }

  #hasTexts(): boolean {
    if (this.#received.size > 0) return true
    for (const { message } of this.#messages.values()) if (message !== '') return true
    return false
  }

  #apply(record: JournalRecord): void {
    switch (record.type) {
      case 'accepted':
        // A newer attempt goes to the end of the queue.
        this.#messages.delete(record.entry.messageId)
        this.#messages.set(record.entry.messageId, record.entry)
        return
      case 'changed': {
        const entry = this.#messages.get(record.messageId)
        if (entry !== undefined) this.#messages.set(record.messageId, changed(entry, record.change))
        return
      }
      case 'forgotten':
        this.#messages.delete(record.messageId)
        return
      case 'finished':
        this.#messages.delete(record.finished.messageId)
        this.#remember(record.finished)
        return
      case 'received':
        for (const message of record.messages) this.#received.set(message.id, message)
        this.#cursor = record.cursor
        return
      case 'received-acked':
        this.#received.delete(record.id)
    }
  }

  #remember(finished: Finished): void {
    this.#finished.delete(finished.messageId)
    this.#finished.set(finished.messageId, finished)
    for (const oldest of this.#finished.keys()) {
      if (this.#finished.size <= AGENT_FINISHED_MAX) return
      this.#finished.delete(oldest)
    }
  }

  #rewrite(): number {
    const records: JournalRecord[] = []
    for (const finished of this.#finished.values()) records.push({ type: 'finished', finished })
    for (const entry of this.#messages.values()) records.push({ type: 'accepted', entry })
    records.push({ type: 'received', cursor: this.#cursor, messages: [...this.#received.values()] })
    this.#file.rewrite(records)
    this.#hasOldTexts = false
    return this.#file.bytes
  }
}

/** Whether the text is still needed: to send it, or to find it in the phone's sent folder. */
function needsText(state: Entry['state']): boolean {
  return state === 'accepted' || state === 'submitting' || state === 'submitted'
}

function changed(entry: Entry, change: Change): Entry {
  return { ...entry, ...change, ...(needsText(change.state) ? {} : { message: '', phoneNumber: '' }) }
}

function idOf(record: Extract<JournalRecord, { type: 'changed' | 'forgotten' | 'finished' }>): string {
  return record.type === 'finished' ? record.finished.messageId : record.messageId
}
