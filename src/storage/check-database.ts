import { expectIntact } from '#storage/backup.ts'
import { readOnce } from '#storage/database.ts'
import { asDamage } from '#storage/sqlite-fault.ts'

/**
 * Reads the whole database and checks its structure, beside a running gateway or without one. Blocks the
 * thread: a gigabyte takes some seconds.
 *
 * @throws DatabaseDamaged with the first fault
 */
export function checkDatabase(file: string): void {
  try {
    readOnce(file, database => expectIntact(database, 'quick_check'))
  } catch (error) {
    throw asDamage(error)
  }
}
