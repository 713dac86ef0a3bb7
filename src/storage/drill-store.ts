import type { DatabaseSync } from 'node:sqlite'
import type { Drill } from '#domain/drill/drill.ts'
import type { DrillStore } from '#domain/drill/drill-store.ts'
import { DAY_MS } from '#domain/time.ts'
import { columnsOf, insertInto, recordOf, updateOf, valuesOf, without } from '#storage/columns.ts'
import { optional, type Row } from '#storage/row.ts'

/** How many drills of a phone are listed, and how many are kept at least. */
const LISTED = 60
/** Older ones go. The longest plan is proven for two months, and asks whether a date had its drill. */
const KEPT_MS = 70 * DAY_MS

const COLUMNS = columnsOf<Drill>({
  id: 'plain',
  accountId: 'plain',
  deviceId: 'plain',
  toDeviceId: 'plain',
  messageId: 'plain',
  code: 'plain',
  by: 'plain',
  day: 'plain',
  role: 'plain',
  firstId: 'plain',
  at: 'plain',
  hasLeft: 'flag',
  waitedMs: 'plain',
  openMs: 'plain',
  outcome: 'plain',
  reason: 'plain',
  tookMs: 'plain',
  endedAt: 'plain',
})
const drillOf = (row: Row) => recordOf(row, COLUMNS)

/** Drills in the database, for the writer. */
export function openDrillStore(database: DatabaseSync): DrillStore {
  const insert = database.prepare(insertInto('drill', COLUMNS))
  const changing = without(COLUMNS, 'id', 'accountId', 'deviceId', 'by', 'role', 'firstId')
  const save = database.prepare(updateOf('drill', changing))
  const prune = database.prepare(`
    DELETE FROM drill WHERE device_id = ?1 AND at < ?2 AND outcome IS NOT NULL AND id NOT IN (
      SELECT id FROM drill WHERE device_id = ?1 ORDER BY id DESC LIMIT ${LISTED})`)
  const where = (condition: string) => database.prepare(`SELECT * FROM drill WHERE ${condition}`)
  const find = where('id = ?')
  const ofMessage = where('message_id = ?')
  const withCodes = where(
    'account_id = ? AND code IS NOT NULL AND code IN (SELECT value FROM json_each(?)) ORDER BY id DESC',
  )
  const open = where('outcome IS NULL ORDER BY id')
  const openOf = where('account_id = ? AND outcome IS NULL ORDER BY id')
  const series = where('first_id = ? ORDER BY id')
  const list = where(`
    device_id = ? AND (message_id IS NOT NULL OR outcome IS NOT NULL)
    ORDER BY at DESC, id DESC LIMIT ${LISTED}`)
  const planned = where('device_id = ? AND day BETWEEN ? AND ?')
  const byHand = database.prepare(
    "SELECT at FROM drill WHERE device_id = ? AND by = 'hand' AND at > ? ORDER BY at",
  )
  const removeOf = database.prepare('DELETE FROM drill WHERE device_id = ?')
  return {
    insert(_tx, drill) {
      insert.run(...valuesOf(drill, COLUMNS))
      prune.run(drill.deviceId, drill.at - KEPT_MS)
    },
    save: (_tx, drill) => void save.run(...valuesOf(drill, changing), drill.id),
    find: id => optional(find.get(id), drillOf),
    findByMessage: messageId => optional(ofMessage.get(messageId), drillOf),
    withCodes: (accountId, codes) => withCodes.all(accountId, JSON.stringify(codes)).map(drillOf),
    open: accountId => (accountId === undefined ? open.all() : openOf.all(accountId)).map(drillOf),
    series: firstId => series.all(firstId).map(drillOf),
    list: deviceId => list.all(deviceId).map(drillOf),
    planned: (deviceId, { from, until }) => planned.all(deviceId, from, until).map(drillOf),
    byHand: (deviceId, since) => byHand.all(deviceId, since).map(row => Number(row['at'])),
    removeOf: (_tx, deviceId) => void removeOf.run(deviceId),
  }
}
