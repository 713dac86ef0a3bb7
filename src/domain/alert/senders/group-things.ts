import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { AlertReading, AlertThing } from '#contracts/alert-reading.ts'
import type { Body } from '#domain/alert/body.ts'
import { hashText } from '#domain/alert/read/hash-text.ts'
import { type Alert, NAMES, partIfMissing, pick, placeOf } from '#domain/alert/senders/alert-labels.ts'
import { readAlertGroup, sharedName } from '#domain/alert/senders/read-alert-group.ts'
import { shortName } from '#domain/alert/text/cut-text.ts'
import { joinWords } from '#domain/alert/text/join-words.ts'

const THINGS_MAX = ACCOUNT_BOUNDS.incidentThings.most

/** The things of a list of alerts. `key`: of the group, or of the one of them by which the list is known. */
export function thingsOfGroup(body: Body, key: string | null): Pick<AlertReading, 'things' | 'isWhole'> {
  const isList = Array.isArray(body.value) || body.objects('alerts').length > 0
  const group = key !== null && isList ? readAlertGroup(body.value, THINGS_MAX) : null
  if (group === null) return {}
  const shared = sharedName(group)
  const ids = group.alerts.map(({ fingerprint }) => (fingerprint === '' ? '' : `id:${fingerprint}`))
  const isOneOf = ids.includes(key ?? '')
  const things = group.alerts.map((alert, place): AlertThing => {
    const id = ids[place] ?? ''
    // The id of an alert is the same in another group of the webhook.
    const own = isOneOf && id !== '' ? id : `${key}#${nameOf(id || JSON.stringify(alert.labels))}`
    return { key: own, name: thingName(alert, shared), isOver: !alert.firing }
  })
  const { alerts, firing, resolved, hidden, root } = group
  // Only a group with a key of its own lists all of its alerts each time.
  const isWhole = 'groupKey' in root && hidden === 0 && alerts.length === firing + resolved
  return { things, ...(isWhole && { isWhole }) }
}

function thingName(alert: Alert, shared: string): string {
  const alertName = pick(alert.labels, NAMES)
  const place = placeOf(alert)
  return shortName(joinWords(shared === '' ? alertName : '', place, partIfMissing(alert, place)) || alertName)
}

/** 64 bits are enough for the alerts of one group. */
function nameOf(id: string): string {
  return hashText(id) + hashText(id, 0x01234567)
}
