import {
  AUTHORITY_LEFT_MS_MIN,
  CERTIFICATE_LEFT_MS_MIN,
  CLOCK_MS_MIN,
  DISK_FREE_BYTES_MIN,
} from '#contracts/bounds.ts'
import { sentence } from '#contracts/words.ts'
import type { ClockFacts } from '#domain/clock/believed-clock.ts'
import type { FoundByRule, GatewayFacts, Rule } from '#domain/health/facts.ts'
import { instant } from '#domain/time.ts'
import { spanSentence } from '#domain/words.ts'

/** Lost commits are critical for a day: revocations are lost, and the outcome of some texts is unknown. */
const COMMITS_LOST_CRITICAL_MS = 86_400_000
/** After that, lost commits stay listed as a warning, until a week after they were found. */
export const COMMITS_LOST_LISTED_MS = 7 * 86_400_000

/** A commit waits for one sync of the disk. With slower ones a phone sends one or two texts a second. */
export const COMMIT_SLOW_MS = 250

const MAKE_ROOM = sentence('Remove old files or backups, or move data_dir to a larger disk.')

const diskFull: Rule<GatewayFacts> = ({ diskFullSince, disk }) => {
  if (diskFullSince === null) return []
  return {
    code: 'DISK_FULL',
    severity: 'critical',
    since: diskFullSince,
    subject: disk?.path ?? null,
    message: sentence('The disk is full: no message is accepted until there is room'),
    fix: MAKE_ROOM,
  }
}

const diskNearlyFull: Rule<GatewayFacts> = ({ disk, diskFullSince }) => {
  if (disk === null || disk.freeBytes >= DISK_FREE_BYTES_MIN || diskFullSince !== null) return []
  const free = Math.floor(disk.freeBytes / 1_000_000)
  return {
    code: 'DISK_NEARLY_FULL',
    since: null,
    subject: disk.path,
    message: sentence('The disk with the database has {free} MB left', { free }),
    fix: MAKE_ROOM,
  }
}

const diskSlow: Rule<GatewayFacts> = ({ commitMs, disk }) => {
  if (commitMs === null || commitMs <= COMMIT_SLOW_MS) return []
  return {
    code: 'DISK_SLOW',
    since: null,
    subject: disk?.path ?? null,
    message: sentence('The disk takes {ms} ms to store a change, so texts leave slowly', {
      ms: Math.round(commitMs),
    }),
    fix: sentence(
      'Stop other programs that write to it, or move data_dir to a faster disk or card (class A1 or ' +
        'better, or an SSD).',
    ),
  }
}

const commitsLost: Rule<GatewayFacts> = ({ lost, now }) => {
  if (lost === null || now - lost.at >= COMMITS_LOST_LISTED_MS) return []
  return {
    code: 'COMMITS_LOST',
    severity: now - lost.at < COMMITS_LOST_CRITICAL_MS ? 'critical' : 'warning',
    since: lost.at,
    message: sentence('The database lost {commits}; {messages} not sent again', {
      commits: sentence('1 commit|{count} commits', { count: lost.commits }),
      messages: sentence('1 open message was|{count} open messages were', { count: lost.messages }),
    }),
    fix: sentence(
      'Check the disk and its power supply, and look for messages that failed with OUTCOME_UNKNOWN.',
    ),
  }
}

const backupFailed: Rule<GatewayFacts> = ({ backup }) => {
  if (backup === null) return []
  return {
    code: 'BACKUP_FAILED',
    since: backup.failedSince,
    message: sentence('The nightly backup fails: {cause}', { cause: backup.cause }),
    fix: sentence(
      'Mount the folders of [backup], make them writable and make room: Roost tries again each hour.',
    ),
  }
}

const databaseDamaged: Rule<GatewayFacts> = ({ damage }) => {
  if (damage === null) return []
  return {
    code: 'DATABASE_DAMAGED',
    severity: 'critical',
    since: damage.foundAt,
    message: sentence('A check found that {cause}', { cause: damage.cause }),
    fix: sentence(
      'Make a backup now (roost backup FILE), restore it into a new folder, and start there. If the ' +
        'backup fails, restore the newest earlier one. Check the disk or the card.',
    ),
  }
}

const certificateExpiring: Rule<GatewayFacts> = ({ certificate, now }) => {
  if (certificate === null) return []
  // What the authority issues ends with it at the latest, so only a new authority helps.
  if (certificate.expiresAt >= (certificate.authority?.expiresAt ?? Number.POSITIVE_INFINITY)) return []
  const leftMs = certificate.expiresAt - now
  if (leftMs >= CERTIFICATE_LEFT_MS_MIN) return []
  const isOver = leftMs <= 0
  return {
    code: 'CERTIFICATE_EXPIRING',
    severity: isOver ? 'critical' : 'warning',
    since: isOver ? certificate.expiresAt : certificate.expiresAt - CERTIFICATE_LEFT_MS_MIN,
    subject: certificate.file,
    message: isOver
      ? sentence('The HTTPS certificate expired {span} ago: phones and programs refuse it', {
          span: spanSentence(-leftMs),
        })
      : sentence('The HTTPS certificate expires in {span}', { span: spanSentence(leftMs) }),
    fix: certificate.isOwn
      ? sentence('Run: roost certificate renew. If that fails too, it says why.')
      : sentence('Replace the certificate, then reload: systemctl reload roost.'),
  }
}

const authorityExpiring: Rule<GatewayFacts> = ({ certificate, now }) => {
  const authority = certificate?.authority ?? null
  if (authority === null) return []
  const { file, expiresAt } = authority
  const leftMs = expiresAt - now
  if (leftMs >= AUTHORITY_LEFT_MS_MIN) return []
  const isOver = leftMs <= 0
  return {
    code: 'CERTIFICATE_EXPIRING',
    severity: isOver ? 'critical' : 'warning',
    since: isOver ? expiresAt : expiresAt - AUTHORITY_LEFT_MS_MIN,
    subject: file,
    message: isOver
      ? sentence('The certificate authority of this gateway expired {span} ago', {
          span: spanSentence(-leftMs),
        })
      : sentence('The certificate authority of this gateway expires in {span}', {
          span: spanSentence(leftMs),
        }),
    fix: sentence(
      'Remove {file}, run roost certificate create, and install the new authority (/ca) on each phone ' +
        'and computer.',
      { file },
    ),
  }
}

const SYNCHRONIZE = sentence('Synchronize the clock with a time server: timedatectl set-ntp true.')
const SET_OR_CONFIRM = sentence(
  'If the clock is wrong, set it: timedatectl set-ntp true. If it is right, run: roost clock confirm.',
)

const clockWrong: Rule<GatewayFacts> = ({ now, clock }) => {
  const wrong = wordsAboutClock(now, clock)
  if (wrong === null) return []
  return [{ code: 'CLOCK_WRONG', severity: 'warning', since: null, subject: null, ...wrong }]
}

function wordsAboutClock(
  now: number,
  { aheadMs, behindMs, jump }: ClockFacts,
): (Pick<FoundByRule, 'message' | 'fix'> & { readonly since?: number }) | null {
  if (aheadMs > 0)
    return {
      message: sentence(
        'The clock says {day}, {span} after the last time that was known: nothing old is removed',
        { day: instant(now).slice(0, 10), span: spanSentence(aheadMs) },
      ),
      fix: SET_OR_CONFIRM,
    }
  if (behindMs > 0)
    return {
      message: sentence('The clock is {span} behind the last time that was known', {
        span: spanSentence(behindMs),
      }),
      fix: SET_OR_CONFIRM,
    }
  if (now < CLOCK_MS_MIN)
    return {
      message: sentence('The clock says {year}', { year: String(new Date(now).getUTCFullYear()) }),
      fix: SYNCHRONIZE,
    }
  if (jump === null) return null
  const span = spanSentence(Math.abs(jump.ms))
  return {
    since: jump.at,
    message:
      jump.ms > 0
        ? sentence('The clock jumped {span} ahead', { span })
        : sentence('The clock jumped {span} back', { span }),
    fix: SYNCHRONIZE,
  }
}

const mailTurnedAway: Rule<GatewayFacts> = ({ mailRefusedSince }) => {
  if (mailRefusedSince === null) return []
  return {
    code: 'MAIL_TURNED_AWAY',
    since: mailRefusedSince,
    message: sentence('Devices that mail are turned away: all connections for mails are in use'),
    fix: sentence('The log names the addresses that hold them (smtp.turned_away): stop or block them.'),
  }
}

/** Rules about the machine and the database. */
export const GATEWAY_RULES: readonly Rule<GatewayFacts>[] = [
  diskFull,
  diskNearlyFull,
  diskSlow,
  commitsLost,
  backupFailed,
  databaseDamaged,
  certificateExpiring,
  authorityExpiring,
  clockWrong,
  mailTurnedAway,
]
