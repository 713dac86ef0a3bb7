/** Health problems of the gateway or an account, as the API, console and command line show them. */
import * as v from 'valibot'
import { noted } from '#contracts/noted.ts'
import { Instant } from '#contracts/primitives.ts'

/** The complete list of problem codes. `domain/health` has a rule for each. */
export const HEALTH_CODES = [
  'NO_DEVICE_ONLINE',
  'DEVICE_OFFLINE',
  'GROUP_CANNOT_SEND',
  'BATTERY_LOW',
  'QUEUE_STALLED',
  'MESSAGES_FAILING',
  'CHAIN_BROKEN',
  'OUTCOME_UNKNOWN',
  'RETRY_BRAKE',
  'PLANNED_EXPIRED',
  'WEBHOOK_OVER_CAP',
  'INCIDENT_UNANSWERED',
  'ANSWERS_CANNOT_ARRIVE',
  'CANNOT_RING',
  'NOBODY_ON_CALL',
  'PERSON_OVER_CAP',
  'QUOTA_NEARLY_USED',
  'MAIL_TURNED_AWAY',
  'NOTIFICATIONS_FAILING',
  'NOTIFICATIONS_DISABLED',
  'DISK_NEARLY_FULL',
  'DISK_FULL',
  'DISK_SLOW',
  'COMMITS_LOST',
  'BACKUP_FAILED',
  'DATABASE_DAMAGED',
  'CERTIFICATE_EXPIRING',
  'CLOCK_WRONG',
  'CLUSTER_LAGGING',
  'CLUSTER_ALONE',
  'CLUSTER_NO_QUORUM',
] as const
export type HealthCode = (typeof HEALTH_CODES)[number]

/**
 * `critical`: texts cannot be sent, or soon cannot, or nobody took an alert. `warning`: someone should look
 * at it soon.
 */
export const HEALTH_SEVERITIES = ['critical', 'warning'] as const
export type HealthSeverity = (typeof HEALTH_SEVERITIES)[number]

const Value = v.union([v.string(), v.number()])
/** A sentence with its values apart; a value may be a sentence, such as `{count} days`. */
const SpokenSentence = v.object({
  english: noted(
    v.string(),
    'The sentence with names in braces for its values. Forms for one and several stand between bars; ' +
      'the value `count` chooses.',
  ),
  values: noted(
    v.record(
      v.string(),
      v.union([
        Value,
        v.object({
          english: noted(v.string(), 'A sentence within the sentence.'),
          values: noted(v.record(v.string(), Value), 'The values of that sentence by their names.'),
        }),
      ]),
    ),
    'The values by their names.',
  ),
})

export const HealthProblem = v.object({
  code: noted(v.picklist(HEALTH_CODES), 'The kind of problem.'),
  severity: noted(
    v.picklist(HEALTH_SEVERITIES),
    'critical: texts cannot be sent, or soon cannot, or nobody took an alert. warning: it needs attention ' +
      'soon.',
  ),
  since: noted(Instant, 'When the problem began, as far as the gateway can tell.'),
  subject: noted(
    v.nullable(v.string()),
    'What has the problem: a phone, webhook, incident, policy, file or folder; null: the account or the ' +
      'gateway as a whole.',
  ),
  message: noted(v.string(), 'The problem in a sentence; its wording may change.'),
  fix: noted(v.string(), 'How to solve the problem.'),
  words: noted(
    v.object({
      message: noted(SpokenSentence, 'The sentence of `message`.'),
      fix: noted(SpokenSentence, 'The sentence of `fix`.'),
    }),
    'Both sentences for programs that say them in another language.',
  ),
})
export type HealthProblem = v.InferOutput<typeof HealthProblem>

export const StatusResource = v.object({
  version: noted(v.string(), 'Version of the gateway.'),
  startedAt: noted(Instant, 'When the gateway started.'),
  time: noted(Instant, 'The gateway’s clock.'),
  publicUrl: noted(v.string(), 'The address where phones and programs reach the gateway.'),
  problems: noted(v.array(HealthProblem), 'Current problems, the worst first.'),
})
export type StatusResource = v.InferOutput<typeof StatusResource>

export interface ClockCommands {
  /** The owner says that the wall clock is right. `time`: the time that it shows. */
  'clock.confirm': { input: Record<never, never>; output: { readonly time: string } }
}

/** What a member knows of its cluster. Times in milliseconds since 1970; null: it is not so. */
export interface ClusterFacts {
  /** Members that do not report, or whose copy stays behind, with the reason. */
  readonly lagging: readonly { readonly name: string; readonly since: number; readonly cause: string }[]
  /** Since when no other member reports. */
  readonly aloneSince: number | null
  /** Since when no majority of etcd answers. */
  readonly noQuorumSince: number | null
}

/** Facts that only the main thread can read. Null: nothing to report, or not checked yet. */
export interface MachineFacts {
  /** Nightly backups fail. `failedSince`: milliseconds since 1970. */
  readonly backup: { readonly failedSince: number; readonly cause: string } | null
  /** Null: the gateway is in no cluster. */
  readonly cluster: ClusterFacts | null
  /** What a check of the database found. `foundAt`: milliseconds since 1970. */
  readonly damage: { readonly foundAt: number; readonly cause: string } | null
  /** The HTTPS certificate that expires first. `expiresAt`: milliseconds since 1970. */
  readonly certificate: {
    readonly file: string
    readonly expiresAt: number
    /** From the gateway's own authority, so the gateway renews it. */
    readonly isOwn: boolean
    /** The gateway's own authority, which signed it; null: another one did. */
    readonly authority: { readonly file: string; readonly expiresAt: number } | null
  } | null
  /** The disk of the data directory. */
  readonly disk: { readonly path: string; readonly freeBytes: number } | null
}

/** What the main thread may do about a check. */
export interface HealthCheck {
  /** Whether it would help to know that the machine's clock is right. */
  readonly isClockInDoubt: boolean
}

/** Counts for the service's status line, for a gateway that stops, and for `roost status`. */
export interface GatewayState {
  /** Messages that are not final, those being sent included. */
  readonly waiting: number
  readonly sending: number
  readonly devicesOnline: number
  /** A critical problem, in one sentence; null: there is none. */
  readonly critical: string | null
  /** Texts that phones reported since the start and that are not in the database, as after a restore. */
  readonly unknownReports: number
  /** What a trusted proxy wrote about its caller and could not be read; null: nothing. */
  readonly unreadForwarded: string | null
}
