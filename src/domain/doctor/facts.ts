/** The input of the checks of `roost doctor`: plain values, so that a test of a check needs no machine. */
import type { Issue } from '#contracts/problem.ts'
import type { Endpoints } from '#domain/network/endpoints.ts'

/** A fact that could not be read. `unreadable` says why, in a sentence. */
export interface Unreadable {
  readonly unreadable: string
}
export type Fact<T> = T | Unreadable

export interface ConfigurationFacts {
  /** Null: there is no file, and all keys have their defaults. */
  readonly file: string | null
  readonly faults: readonly Issue[]
  /** Environment variables that begin with ROOST_ but name no key. */
  readonly unknownVariables: readonly string[]
}

export interface GatewayProcessFacts {
  /** The gateway that answered. Null: none. */
  readonly running: {
    readonly version: string
    readonly pid: number
    /** The wall-clock time at which it started. The clock may have been set since. */
    readonly startedAt: number
    /** The port on which programs of this machine reach it. */
    readonly port: number
    /** What a trusted proxy wrote about its caller and could not be read. Null: nothing. */
    readonly unreadForwarded: string | null
  } | null
  /** The process id of the process that has locked the data directory. Null: none, or it is unknown. */
  readonly holder: number | null
  readonly ownVersion: string
  /** A fault of the data directory that prevents contact with a gateway. Null: there is none. */
  readonly unreachable: { readonly message: string; readonly fix: string } | null
}

/** The result of an attempt to listen on a port. */
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
  /** The status text that the gateway sent to systemd. */
  readonly status: string
  readonly pid: number | null
  readonly restarts: number
  readonly hasWatchdog: boolean
  /** Whether the service uses this data directory. */
  readonly isOurs: boolean
}

export interface FileFacts {
  readonly path: string
  /** The low nine bits of the file mode. */
  readonly mode: number
  readonly owner: FileOwner
}

export interface FileOwner {
  readonly uid: number
  /** The name of the user; the id as text where the machine has no name for it. */
  readonly name: string
}

export interface PermissionFacts {
  readonly path: string
  readonly owner: FileOwner
  readonly canWrite: boolean
  /** The directory itself, the database, secrets, and keys of certificates. */
  readonly files: readonly FileFacts[]
}

export interface DiskFacts {
  readonly path: string
  readonly freeBytes: number
  /** How many more files the file system can hold. Null: it has no such limit. */
  readonly freeFiles: number | null
  readonly kind: 'disk' | 'memory' | 'network' | 'container'
}

export interface DatabaseFacts {
  readonly path: string
  /** What a check of the whole file found. Null: nothing. */
  readonly damage: string | null
  /** Whether a write was interrupted, so that the next start must undo it. */
  readonly isInterrupted: boolean
}

/** A number that the owner wrote down, and where: `The person Ada`. */
export interface NumberFacts {
  readonly place: string
  readonly phoneNumber: string
}

/** How long each fsync took, in milliseconds. `fault`: the system's error code that ended the measurement. */
export interface DiskSpeedFacts {
  readonly path: string
  readonly timesMs: readonly number[]
  readonly fault: string | null
}

export interface CardFacts {
  readonly device: string
  readonly name: string
  /** Tenths of its life that are used, by the worse of its two counters. Null: the card does not say. */
  readonly wornTenths: number | null
  /** How many spare blocks are used. 1: few, 2: four fifths, 3: nine tenths. Null: the card does not say. */
  readonly spareState: number | null
}

export interface BackupFacts {
  /** The folder of backups. Empty: none are configured. */
  readonly dir: string
  readonly places: readonly { readonly dir: string; readonly newestAt: number | null }[]
  /** The wall-clock time at which the last backup was due. */
  readonly dueAt: number
}

export interface CertificateDates {
  readonly file: string
  /** Milliseconds since 1970, like `notAfter`. */
  readonly notBefore: number
  readonly notAfter: number
}

export interface ServedCertificate extends CertificateDates {
  /** What is wrong with the key file. Null: the key belongs to the certificate. */
  readonly keyFault: string | null
  /** The host of the public HTTPS address, if the certificate does not contain it. Null: it does. */
  readonly lacksName: string | null
}

export interface CertificateFacts {
  /** Null: the gateway serves only plain HTTP. */
  readonly served: Fact<ServedCertificate> | null
  /** The owner's certificate authority, if it should have signed the certificate. Null: no such authority. */
  readonly authority: (CertificateDates & { readonly signedIt: boolean }) | null
}

export interface ClockFacts {
  /** Whether a time server sets the clock. Null: unknown. */
  readonly isSynchronised: boolean | null
  /** How far the clock was set since the gateway started. Null: no gateway runs, or it is unknown. */
  readonly steppedMs: number | null
}

export interface MemoryFacts {
  readonly availableBytes: number
  readonly totalBytes: number
  /** The limit of the gateway's control group. Null: none. */
  readonly limitBytes: number | null
  /** How often the kernel killed a process of the control group because memory ran out. Null: unknown. */
  readonly kills: number | null
}

export interface DiscoveryFacts {
  readonly isEnabled: boolean
  /** Whether only this machine can reach the gateway, so that it announces nothing. */
  readonly isLocal: boolean
  readonly hasNetwork: boolean
  /** Whether the gateway's own mDNS announcement was received. */
  readonly isOwnHeard: boolean
  /** Addresses of other gateways. */
  readonly others: readonly string[]
}

export interface BrokerFacts {
  readonly url: string
  /** Why it cannot be reached; null: it can. */
  readonly fault: string | null
}

export interface ModemOfMachine {
  readonly imei: string
  /** Maker and model. */
  readonly model: string
  readonly operator: string | null
  /** Percent; null: unknown. */
  readonly signal: number | null
  readonly isRoaming: boolean
  readonly condition:
    | 'registered'
    | 'off'
    | 'no-sim'
    | 'failed'
    | 'asks-for-pin'
    | 'blocked'
    | 'no-texts'
    | 'denied'
    | 'no-service'
}

export interface ModemFacts {
  /** `no-bus`, `not-running`, or a sentence. Null: ModemManager answers. */
  readonly trouble: string | null
  /** What ModemManager sees. */
  readonly modems: readonly ModemOfMachine[]
  /** Numbers (IMEI) of modems that are phones of this gateway. */
  readonly phones: readonly string[]
  /** Who uses the modems. */
  readonly user: string
  /** What polkit does not let the user do. Null: polkit does not answer. */
  readonly refused: readonly string[] | null
  /** Names of USB sticks that are routers. */
  readonly routers: readonly string[]
}

export interface DoctorFacts {
  readonly now: number
  readonly configuration: ConfigurationFacts
  readonly gateway: GatewayProcessFacts
  /** Null: systemd does not run on this machine. */
  readonly service: Fact<ServiceFacts> | null
  readonly ports: Fact<PortFacts>
  readonly permissions: Fact<PermissionFacts>
  readonly disk: Fact<DiskFacts>
  readonly diskSpeed: Fact<DiskSpeedFacts>
  /** Null: there is no database yet. */
  readonly database: Fact<DatabaseFacts> | null
  /** Null: there is no database yet. */
  readonly numbers: Fact<readonly NumberFacts[]> | null
  readonly cards: Fact<readonly CardFacts[]>
  readonly backup: BackupFacts
  readonly certificate: CertificateFacts
  readonly clock: ClockFacts
  readonly memory: Fact<MemoryFacts>
  readonly discovery: Fact<DiscoveryFacts>
  /** The broker of Home Assistant; null: none is set. */
  readonly broker: Fact<BrokerFacts> | null
  /** Null: modems are switched off in the configuration. */
  readonly modems: Fact<ModemFacts> | null
}

/** The subject of each finding about the machine. */
export type CheckCode =
  | 'CONFIGURATION'
  | 'GATEWAY'
  | 'SERVICE'
  | 'PORT'
  | 'PERMISSIONS'
  | 'DISK'
  | 'DISK_SPEED'
  | 'DATABASE'
  | 'NUMBER'
  | 'CARD'
  | 'BACKUP'
  | 'CERTIFICATE'
  | 'CLOCK'
  | 'MEMORY'
  | 'DISCOVERY'
  | 'BROKER'
  | 'MODEM'

/** `unknown`: the fact could not be read. */
export type CheckSeverity = 'critical' | 'warning' | 'unknown' | 'ok'

export interface CheckFinding {
  readonly code: CheckCode
  readonly severity: CheckSeverity
  /** A file, folder, port, variable or device. */
  readonly subject: string | null
  readonly message: string
  /** What to do. Null: nothing. */
  readonly fix: string | null
}

export type Check = (facts: DoctorFacts) => CheckFinding | readonly CheckFinding[]
