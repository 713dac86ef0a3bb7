import type { ChosenConfiguration } from '#contracts/configuration.ts'
import { type ChosenStore, NOTHING_CHOSEN } from '#domain/chosen-configuration.ts'
import { optional, text } from '#storage/row.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'

/** What the owner chose at the API. */
export function openChosenStore(database: DatabaseSync): ChosenStore {
  const find = database.prepare('SELECT content FROM chosen_configuration')
  const save = database.prepare(`
    INSERT INTO chosen_configuration VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET content = excluded.content`)
  const chosenOf = (content: string) => JSON.parse(content) as ChosenConfiguration
  return {
    read: () => optional(find.get(), row => chosenOf(text(row['content']))) ?? NOTHING_CHOSEN,
    save(tx, chosen) {
      save.run(JSON.stringify(chosen))
      // A number or an address that is gone must not stay in the write-ahead log.
      tx.hasWiped = true
    },
  }
}
