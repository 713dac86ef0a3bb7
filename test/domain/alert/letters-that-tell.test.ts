import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'

/** Sentences that look like a greeting, a note, a date or the end of a letter, and say what happened. */
const CASES = [
  ['Hello admin, the backup of nas failed!\nThe log is attached.', 'the backup of nas failed'],
  ['Hallo Admin, die Sicherung von NAS-Berlin ist fehlgeschlagen!\nDetails im Protokoll.', 'fehlgeschlagen'],
  ['Battery low on main UPS,\nshutdown in five minutes', 'Battery low'],
  ['Bonjour,\nMerci de vérifier le serveur nas01\nLa sauvegarde a échoué : disque plein', 'disque plein'],
  ['Ping check of site Berlin\nHosts db1 and db2 do not reply to ping', 'db1'],
  ['Cluster A\nAutomatic failover of the message broker has failed', 'broker has failed'],
  ['Stromausfall: 26.11.2026 03:12\nStandort Lager 2', 'Stromausfall'],
  ['Job nightly on nas\nBackup failed: 2026-11-26 02:00:11', 'Backup failed'],
  ['Fire panel 1\nTriggered: 3 smoke detectors in hall 2', 'smoke'],
  ['Security notice\nLogin attempt for root from 203.0.113.9 failed 5 times.', '203.0.113.9'],
  ['Device offline\nHi,\na device went offline.\nKitchen camera', 'camera'],
] as const

describe('a sentence that tells a problem is not left out', () => {
  for (const [body, told] of CASES)
    test(body.replaceAll('\n', ' / '), () => {
      const { message } = renderAlert(triggerRequest({ contentType: 'text/plain', body }), null)
      assert.ok(message.includes(told), message)
    })
})
