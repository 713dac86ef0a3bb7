/** The facts of a healthy machine, for the checks of `roost doctor`. */
import { examine } from '#domain/doctor/examine.ts'
import type { DoctorFacts } from '#domain/doctor/facts.ts'

export const NOW = Date.UTC(2026, 10, 22, 12)
export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const DIR = '/var/lib/roost'

export const ROOST = { uid: 999, name: 'roost' }
/** A healthy machine with a running service. */
export const HEALTHY: DoctorFacts = {
  now: NOW,
  configuration: { file: '/etc/roost/config.toml', faults: [], unknownVariables: [] },
  gateway: {
    running: { version: '1.0.0', pid: 77, startedAt: NOW - DAY, port: 8080, unreadForwarded: null },
    holder: null,
    ownVersion: '1.0.0',
    unreachable: null,
  },
  service: {
    installed: true,
    running: true,
    enabled: true,
    failed: false,
    status: '',
    pid: 77,
    restarts: 0,
    hasWatchdog: true,
    isOurs: true,
  },
  ports: {
    host: '0.0.0.0',
    ports: [{ port: 8080, answer: 'used' }],
    endpoints: { http: 8080, https: null },
  },
  permissions: {
    path: DIR,
    owner: ROOST,
    canWrite: true,
    files: [{ path: DIR, mode: 0o700, owner: ROOST }],
  },
  disk: { path: DIR, freeBytes: 9e9, freeFiles: 1000, kind: 'disk' },
  diskSpeed: { path: DIR, timesMs: [2, 900, 3], fault: null },
  database: { path: `${DIR}/roost.db`, damage: null, isInterrupted: false },
  numbers: [{ place: 'The person Ada', phoneNumber: '+393331234567' }],
  cards: [{ device: '/dev/mmcblk0', name: 'SD64G', wornTenths: 2, spareState: 1 }],
  backup: { dir: '/mnt', places: [{ dir: '/mnt', newestAt: NOW - HOUR }], dueAt: NOW - HOUR },
  certificate: { served: null, authority: null },
  clock: { isSynchronised: true, steppedMs: 900 },
  memory: { availableBytes: 3e8, totalBytes: 1e9, limitBytes: 448e6, kills: 0 },
  discovery: { isEnabled: true, isLocal: false, hasNetwork: true, isOwnHeard: true, others: [] },
  broker: { url: 'mqtt://homeassistant.local', fault: null },
  modems: { trouble: null, modems: [], phones: [], user: 'roost', refused: [], routers: [] },
}
export const STOPPED = { ...HEALTHY.gateway, running: null }

/** All findings that are not `ok`, as `CODE severity: message`. */
export function findingsFor(change: object): string[] {
  return examine({ ...HEALTHY, ...change }, [])
    .filter(({ severity }) => severity !== 'ok')
    .map(({ code, severity, message }) => `${code} ${severity}: ${message}`)
}
