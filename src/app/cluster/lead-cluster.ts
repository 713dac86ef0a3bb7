import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { statePaths } from '#agent/identity.ts'
import { Journal } from '#agent/journal.ts'
import { expectCertificate } from '#app/certificate/own-certificate.ts'
import { ClusterHost } from '#app/cluster/cluster-host.ts'
import { Leader } from '#app/cluster/leader.ts'
import { MemberServer } from '#app/cluster/member-server.ts'
import { type GatewayAbout, serveControl } from '#app/control/control-socket.ts'
import type { Log } from '#app/log.ts'
import type { ServiceReport } from '#app/service/service-report.ts'
import type { Closer } from '#app/threads/closer.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import { appMessageId } from '#contracts/smsgate.ts'
import { Problem } from '#domain/problem.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { readOnce } from '#storage/database.ts'
import { readHandedOver } from '#storage/handed-over.ts'
import { makeDirectory } from '#storage/sync-directory.ts'

/** A follower whose loop has not turned for this long hangs: the watchdog of the service ends it. */
const HANGS_AFTER_MS = 60_000

export interface LeadPorts {
  /** With the ports that were found. */
  readonly config: Config
  readonly directory: DataDirectory
  readonly log: Log
  readonly report: ServiceReport
  readonly about: () => GatewayAbout
  readonly stop: AbortSignal
}

/**
 * Waits until this gateway leads its cluster. Meanwhile it follows and serves what a follower serves.
 * `stopped`: the stop came first.
 *
 * A leader whose lease is over ends its process at once, as by kill -9: nothing of it may leave any more.
 */
export async function leadCluster(ports: LeadPorts, closer: Closer): Promise<Leader | 'stopped'> {
  const { config, directory, log, report, about, stop } = ports
  const host = new ClusterHost({ config, directory, log })
  const server = new MemberServer({ config, log, state: () => host.state() })
  await server.open()
  // A new copy brings another certificate.
  host.onErrand = () => server.reopen()
  const control = await serveControl(directory.controlSocket, {
    writer: refusingWriter(host),
    about,
    keeper: { check: async () => null },
    cluster: host,
  })
  const hangs = () => performance.now() - host.activeAtMs > HANGS_AFTER_MS
  report.standBy(() => (hangs() ? null : host.describe()))
  let led: Awaited<ReturnType<ClusterHost['untilLeading']>>
  try {
    led = await host.untilLeading(stop)
  } finally {
    await server.close()
    await control.close()
  }
  if (led === null) {
    await host.etcd.close()
    return 'stopped'
  }
  expectCertificate(config, directory)
  seedJournals(directory)
  log.write('info', 'cluster.leads', { name: host.me.name, entry: led.head })
  const leader = new Leader({ host, led, directory, head: led.head })
  let isStopping = false
  closer.add('cluster', () => {
    isStopping = true
    return leader.stop()
  })
  void led.kept.then(reason => {
    if (isStopping) return
    log.write('error', 'cluster.lead_lost', { reason })
    setImmediate(() => process.kill(process.pid, 'SIGKILL'))
  })
  leader.start()
  return leader
}

/** Commands need the leader. */
function refusingWriter(host: ClusterHost): Writer {
  return {
    ask(name) {
      // Also for the doctor.
      if (name === 'health.list') return Promise.resolve(host.state().problems as never)
      const { leader } = host
      const where = leader === null ? 'no gateway leads now' : `${leader.name} leads: ${leader.url}`
      const message = `this gateway does not lead its cluster (${where}): run this there`
      return Promise.reject(new Problem('SERVICE_UNAVAILABLE', message, { leader: leader?.url ?? null }))
    },
  }
}

/**
 * The journals of phones that the gateway reaches are on the machine of the leader. A new leader makes them
 * again from the rows: for each text that was on its way, its agent asks the phone by the text's id before
 * anything is said about it. An older journal of this machine would know less than the rows, and is removed.
 */
function seedJournals(directory: DataDirectory): void {
  const phones = readOnce(directory.database, database => readHandedOver(database, Date.now()))
  for (const phone of phones) {
    makeDirectory(directory.phones)
    const { journal: file } = statePaths(join(directory.phones, phone.deviceId))
    rmSync(file, { force: true })
    const journal = Journal.open(file)
    const { witness } = phone
    const mark = JSON.stringify({
      phoneId: null,
      witness: witness === null ? null : appMessageId(witness.messageId, witness.attempt),
    })
    for (const text of phone.texts) journal.accept({ ...text, code: null, detail: null, mark, done: false })
    journal.receive([], JSON.stringify({ sinceMs: phone.heardSinceMs, seen: phone.heardIds }))
    journal.close()
  }
}
