/** What `roost doctor` decides by: plain values of the machine, so that a rule needs none. */
import type { Issue } from '#contracts/problem.ts'
import type { Endpoints } from '#domain/network/endpoints.ts'

/** What could not be seen, and why. */
export interface Unseen {
  readonly unseen: string
}
export type Look<T> = T | Unseen

export interface ConfigurationFacts {
  /** Null: there is none, all is as built in. */
  readonly file: string | null
  readonly faults: readonly Issue[]
  /** Variables of the environment that name no key. */
  readonly strangers: readonly string[]
}

export interface GatewayState {
  /** Null: none answers. */
  readonly running: {
    readonly version: string
    readonly pid: number
    /** Wall clock, as it was then. */
    readonly startedAt: number
    /** The port where a program on this machine reaches it. */
    readonly port: number
  } | null
  /** The process that holds the data directory; null: none, or it cannot be seen. */
  readonly holder: number | null
  readonly ownVersion: string
  /** What is wrong with the data directory, so that no gateway can be asked; null: it can. */
  readonly unreachable: { readonly message: string; readonly fix: string } | null
}

/** What came of an attempt to listen. */
export type PortAnswer = 'free' | 'used' | 'forbidden' | 'no-address'

export interface PortFacts {
  readonly host: string
  readonly ports: readonly { readonly port: number; readonly answer: PortAnswer }[]
  readonly endpoints: Endpoints
}

export interface ServiceFacts {
  readonly installed: boolean
  readonly running: boolean
  readonly enabled: boolean
  readonly failed: boolean
  /** The sentence that the gateway tells systemd. */
  readonly status: string
  readonly pid: number | null
  readonly restarts: number
  readonly hasWatchdog: boolean
  /** Whether it is the service that has this data directory. */
  readonly isOurs: boolean
}

export interface FileFacts {
  readonly path: string
  /** The low nine bits. */
  readonly mode: number
  readonly uid: number
}

export interface PermissionFacts {
  readonly path: string
  readonly ownerUid: number
  readonly canWrite: boolean
  /** The directory itself, the database, secrets, and keys of certificates. */
  readonly files: readonly FileFacts[]
}

export interface DiskFacts {
  readonly path: string
  readonly freeBytes: number
  /** Files that could still be made; null where the file system has no such limit. */
  readonly freeFiles: number | null
  readonly kind: 'disk' | 'memory' | 'network' | 'container'
}

/** Times of forced writes, in milliseconds; `fault`: why they ended early, a code of the system. */
export interface DiskSpeedFacts {
  readonly path: string
  readonly timesMs: readonly number[]
  readonly fault: string | null
}

export interface CardFacts {
  readonly device: string
  readonly name: string
  /** Tenths of its life that are used, the worse of its two counts; null: it does not tell. */
  readonly wornTenths: number | null
  /** Of its spare blocks: 1 normal, 2 four fifths are used, 3 nine tenths; null: it does not tell. */
  readonly spareState: number | null
}

export interface BackupFacts {
  /** Empty: none are wanted. */
  readonly dir: string
  readonly places: readonly { readonly dir: string; readonly newestAt: number | null }[]
  /** When the last one was due. */
  readonly dueAt: number
}

export interface CertificateDates {
  readonly file: string
  readonly notBefore: number
  readonly notAfter: number
}

export interface ServedCertificate extends CertificateDates {
  /** Null: it belongs to the key. Else what is wrong with the file of the key. */
  readonly keyFault: string | null
  /** The host of the public address, where that is HTTPS and the certificate does not name it. */
  readonly lacksName: string | null
}

export interface CertificateFacts {
  /** Null: plain HTTP alone is served. */
  readonly served: Look<ServedCertificate> | null
  /** The gateway's own authority, if the certificate should be from it. */
  readonly authority: (CertificateDates & { readonly signedIt: boolean }) | null
}

export interface ClockFacts {
  /** Whether a time server set it; null: that cannot be seen. */
  readonly isSynchronised: boolean | null
  /** By how much it was set since the gateway started; null: none runs, or it cannot be seen. */
  readonly steppedMs: number | null
}

export interface MemoryFacts {
  readonly availableBytes: number
  readonly totalBytes: number
  /** Of its control group; null: none. */
  readonly limitBytes: number | null
  /** How often the kernel killed something for want of memory in it; null: unknown. */
  readonly kills: number | null
}

export interface DiscoveryFacts {
  readonly isEnabled: boolean
  /** Only this machine reaches the gateway, so nothing is announced. */
  readonly isLocal: boolean
  readonly hasNetwork: boolean
  readonly isOwnHeard: boolean
  /** Addresses of other gateways. */
  readonly others: readonly string[]
}

export interface MachineLook {
  readonly now: number
  readonly configuration: ConfigurationFacts
  readonly gateway: GatewayState
  readonly service: Look<ServiceFacts>
  readonly ports: Look<PortFacts>
  readonly permissions: Look<PermissionFacts>
  readonly disk: Look<DiskFacts>
  readonly diskSpeed: Look<DiskSpeedFacts>
  readonly cards: Look<readonly CardFacts[]>
  readonly backup: BackupFacts
  readonly certificate: CertificateFacts
  readonly clock: ClockFacts
  readonly memory: Look<MemoryFacts>
  readonly discovery: Look<DiscoveryFacts>
}

/** What each finding of the machine is about. */
export type CheckCode =
  | 'CONFIGURATION'
  | 'GATEWAY'
  | 'SERVICE'
  | 'PORT'
  | 'PERMISSIONS'
  | 'DISK'
  | 'DISK_SPEED'
  | 'CARD'
  | 'BACKUP'
  | 'CERTIFICATE'
  | 'CLOCK'
  | 'MEMORY'
  | 'DISCOVERY'

/** `unknown`: it could not be seen. */
export type CheckSeverity = 'critical' | 'warning' | 'unknown' | 'ok'

export interface CheckFinding {
  readonly code: CheckCode
  readonly severity: CheckSeverity
  /** A file, folder, port, variable or device. */
  readonly subject: string | null
  readonly message: string
  /** What to do; null: nothing. */
  readonly fix: string | null
}

export type Check = (look: MachineLook) => readonly CheckFinding[]
