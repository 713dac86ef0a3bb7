/**
 * The journals of phones that the gateway reaches are on the machine of the leader. A new leader makes them
 * again from the rows: for each text that was on its way, its agent asks the phone by the text's id before
 * anything is said about it. An older journal of this machine would know less than the rows, and is removed.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { statePaths } from '#agent/identity.ts'
import { Journal } from '#agent/journal.ts'
import { appMessageId } from '#contracts/smsgate.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import { readHandedOver } from '#storage/handed-over.ts'
import { makeDirectory } from '#storage/sync-directory.ts'

export function seedJournals(directory: DataDirectory): void {
  const database = openReadOnly(directory.database)
  try {
    for (const phone of readHandedOver(database, Date.now())) {
      makeDirectory(directory.phones)
      const { journal: file } = statePaths(join(directory.phones, phone.deviceId))
      rmSync(file, { force: true })
      const journal = Journal.open(file)
      const { witness } = phone
      const mark = JSON.stringify({
        phoneId: null,
        witness: witness === null ? null : appMessageId(witness.messageId, witness.attempt),
      })
      for (const text of phone.texts) journal.accept({ ...text, code: null, detail: null, mark, done: false })
      journal.receive([], JSON.stringify({ sinceMs: phone.heardSinceMs, seen: phone.heardIds }))
      journal.close()
    }
  } finally {
    database.close()
  }
}
