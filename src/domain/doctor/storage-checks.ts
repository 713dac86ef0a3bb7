/** The checks of file permissions, the disk, the SD card and backups. */

import { DISK_FREE_BYTES_MIN } from '#contracts/bounds.ts'
import type { CardFacts, Check, CheckFinding, DiskFacts, DiskSpeedFacts } from '#domain/doctor/facts.ts'
import { findingsOf, isUnreadable } from '#domain/doctor/make-findings.ts'
import { parsePhoneNumber } from '#domain/phone-number/parse-phone-number.ts'
import { spanInWords } from '#domain/words.ts'

/** Warn from here on: each send waits for one or two synced writes, and people notice this delay … */
const FSYNC_SLOW_MS = 100
/** … and from here on, programs with a timeout of five seconds fail even under little load. */
const FSYNC_VERY_SLOW_MS = 1_000
/** A nightly backup counts as missed this long after its time; it normally takes minutes. */
const BACKUP_LATE_MS_MAX = 3_600_000
/** Wear of a memory card in tenths of its rated life (JEDEC eMMC 5.0, JESD84-B50); 11: life exceeded. */
const CARD_WORN_TENTHS = 9
const CARD_WORN_OUT_TENTHS = 11

const permissions: Check = ({ permissions: facts }) => {
  const report = findingsOf('PERMISSIONS')
  if (isUnreadable(facts)) return report.unknown(facts.unreadable)
  const { path, owner, canWrite, files } = facts
  const found: CheckFinding[] = []
  if (!canWrite)
    found.push(
      report.critical(
        `${path} cannot be written to`,
        'Make it writable for its owner (chmod u+rwx), or mount its disk read-write.',
        path,
      ),
    )
  for (const { path: file, mode, owner: user } of files) {
    if (user.uid !== owner.uid)
      found.push(
        report.critical(
          `${file} belongs to the user ${user.name}, its folder to ${owner.name}: the gateway cannot open it`,
          `Run: sudo chown --reference='${path}' '${file}'`,
          file,
        ),
      )
    if ((mode & 0o077) !== 0)
      found.push(
        report.warning(
          `${file} is open to other users (mode ${mode.toString(8).padStart(3, '0')})`,
          `Run: sudo chmod go= '${file}'`,
          file,
        ),
      )
  }
  return found.length > 0 ? found : report.ok('Only the owner can read the data and the secrets', path)
}

const KINDS: Readonly<Record<Exclude<DiskFacts['kind'], 'disk'>, readonly [message: string, fix: string]>> = {
  memory: ['is in memory: it is lost when the machine restarts', 'Set data_dir to a folder on a disk.'],
  network: [
    'is on a network share: SQLite needs file locks, which such shares do not guarantee',
    'Set data_dir to a folder on a disk of this machine, and use the share as backup.second_dir.',
  ],
  container: [
    'is inside the container: it is deleted together with the container',
    'Mount a volume of the host at the data directory.',
  ],
}

/** Says how much space is free. Leaves out a lack of space: a health rule reports that (DISK_NEARLY_FULL). */
const disk: Check = ({ disk: facts }) => {
  const report = findingsOf('DISK')
  if (isUnreadable(facts)) return report.unknown(facts.unreadable)
  const { path, freeBytes, freeFiles, kind } = facts
  const found: CheckFinding[] = []
  if (kind !== 'disk') found.push(report.warning(`${path} ${KINDS[kind][0]}`, KINDS[kind][1], path))
  if (freeFiles === 0)
    found.push(
      report.critical(
        'The file system has no room for another file, although bytes may be free',
        'Remove files that are no longer needed: df -i shows how many there are.',
        path,
      ),
    )
  if (found.length === 0 && freeBytes >= DISK_FREE_BYTES_MIN)
    found.push(report.ok(`${(freeBytes / 1e9).toFixed(1)} GB are free`, path))
  return found
}

const diskSpeed: Check = ({ diskSpeed: facts }) => {
  const report = findingsOf('DISK_SPEED')
  if (isUnreadable(facts)) return report.unknown(facts.unreadable)
  const { path, fault } = facts
  // Without synced writes the gateway cannot work.
  if (fault !== null) return report.critical(`A synced write (fsync) failed: ${fault}`, faultFix(fault), path)
  const typicalMs = medianOf(facts)
  const rounded = typicalMs < 10 ? typicalMs.toFixed(1) : Math.round(typicalMs)
  const text = `A synced write (fsync) takes ${rounded} ms`
  if (typicalMs < FSYNC_SLOW_MS) return report.ok(text, path)
  const fix =
    'Use a faster disk or card (class A1 or better, or an SSD), or stop other programs that write to it.'
  if (typicalMs < FSYNC_VERY_SLOW_MS) return report.warning(`${text}: every send waits for one`, fix, path)
  return report.critical(`${text}: sends time out`, fix, path)
}

function medianOf({ timesMs }: DiskSpeedFacts): number {
  return timesMs.toSorted((a, b) => a - b)[Math.floor(timesMs.length / 2)] ?? 0
}

function faultFix(fault: string): string {
  if (fault === 'ENOSPC' || fault === 'EDQUOT') return 'Make room on the disk of the data directory.'
  if (fault === 'EROFS')
    return 'Mount the disk read-write. If a disk error made it read-only, dmesg shows it.'
  if (fault === 'EACCES' || fault === 'EPERM') return 'Run this as the owner of the folder or as root (sudo).'
  return 'Look for disk errors in the system log: dmesg'
}

/** Damage is a problem of the gateway (DATABASE_DAMAGED), which the caller lists with the others. */
const database: Check = ({ database: facts }) => {
  const report = findingsOf('DATABASE')
  if (facts === null) return []
  if (isUnreadable(facts)) return report.unknown(facts.unreadable)
  const { path, damage, isInterrupted } = facts
  if (isInterrupted)
    return report.warning(
      `A power cut or a crash interrupted a write to ${path}`,
      'Start the gateway: it undoes that write, and no accepted message is lost.',
      path,
    )
  return damage === null ? report.ok(`${path} is intact`, path) : []
}

/** Stored numbers with a zero after the country code. Texts to them are lost, or reach a stranger. */
const numbers: Check = ({ numbers: facts }) => {
  const report = findingsOf('NUMBER')
  if (facts === null) return []
  if ('unreadable' in facts) return report.unknown(facts.unreadable)
  return facts.flatMap(({ place, phoneNumber }) => {
    const meant = parsePhoneNumber(phoneNumber)?.e164 ?? phoneNumber
    if (meant === phoneNumber) return []
    const message = `${place} has the number ${phoneNumber}, which does not exist`
    return report.warning(message, `If ${meant} is meant, put in that number.`, phoneNumber)
  })
}

const card: Check = ({ cards }) => {
  const report = findingsOf('CARD')
  if ('unreadable' in cards) return report.unknown(cards.unreadable)
  return cards.map(checkCard)
}

function checkCard({ device, name, wornTenths, spareState }: CardFacts): CheckFinding {
  const report = findingsOf('CARD')
  const what = `The card ${name} (${device})`
  if (wornTenths === null && spareState === null) return report.unknown(`${what} does not report its health`)
  const fix = 'Make a backup now (roost backup FILE), and move to a new card or disk.'
  const isWornOut = (wornTenths ?? 0) >= CARD_WORN_OUT_TENTHS || spareState === 3
  if (isWornOut) return report.critical(`${what} is worn out`, fix, device)
  const isWorn = (wornTenths ?? 0) >= CARD_WORN_TENTHS || spareState === 2
  if (isWorn) {
    const reason = spareState === 2 ? 'few spare blocks are left' : lifeUsed(wornTenths ?? 0)
    return report.warning(`${what} is nearly worn out: ${reason}`, fix, device)
  }
  const health = wornTenths === null ? 'enough spare blocks are left' : `at most ${lifeUsed(wornTenths)}`
  return report.ok(`${what}: ${health}`, device)
}

function lifeUsed(wornTenths: number): string {
  return `${wornTenths * 10} % of its life is used`
}

const backup: Check = ({ backup: { dir, places, dueAt }, now }) => {
  const report = findingsOf('BACKUP')
  if (dir === '')
    return report.warning(
      'No backups are made',
      'Set backup.dir, if possible to a folder on another disk: a failed disk takes its backups with it. ' +
        'Or switch them on in the settings of the console.',
    )
  return places.map(({ dir: place, newestAt }) => {
    const fix =
      'Look for backup.failed in the log, check the permissions of the folder, then run: roost backup FILE'
    if (newestAt === null) return report.warning(`${place} has no backup`, fix, place)
    const text = `The newest backup in ${place} is ${spanInWords(now - newestAt)} old`
    const isLate = newestAt < dueAt && now - dueAt > BACKUP_LATE_MS_MAX
    return isLate ? report.warning(text, fix, place) : report.ok(text, place)
  })
}

export const STORAGE_CHECKS: readonly Check[] = [
  permissions,
  disk,
  diskSpeed,
  database,
  numbers,
  card,
  backup,
]
