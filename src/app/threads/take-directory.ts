import { existsSync } from 'node:fs'
import { expectCertificate } from '#app/certificate/own-certificate.ts'
import { withPorts } from '#app/config/find-port.ts'
import { connectControl } from '#app/control/control-client.ts'
import { DataDirectoryHeld, holdDataDirectory } from '#app/hold-data-directory.ts'
import type { Closer } from '#app/threads/closer.ts'
import type { GatewayOptions } from '#app/threads/gateway-options.ts'
import type { Config } from '#contracts/config.ts'
import { VERSION } from '#contracts/version.ts'
import { unpackSecrets } from '#storage/backup.ts'
import { refuseEmptied } from '#storage/commit-loss.ts'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import { membershipOf } from '#storage/membership.ts'
import { loadSecret } from '#storage/secret-file.ts'
import { releaseSpareRoom } from '#storage/spare-room.ts'

const NO_LOSS_IN_CLUSTER =
  'a member of a cluster does not give up its data: leave out --accept-data-loss, and take a new copy with ' +
  'roost cluster leave and roost cluster join'

export function isClustered({ cluster }: Config): boolean {
  return cluster.etcd.length > 0
}

/**
 * Locks the data directory until `closer` closes. Unpacks the secrets of a restored backup, or makes them at
 * the first start.
 *
 * @throws Error when another instance holds the directory, when the database is empty although commits were
 * made in this directory, when HTTPS has no certificate, or when the port of a first start is in use
 */
export async function takeDirectory(options: GatewayOptions, closer: Closer): Promise<DataDirectory> {
  const directory = dataDirectory(options.config.data_dir)
  // A first start checks its ports before it makes anything, so that a failed start leaves no directory that
  // looks like that of a gateway. Later starts take the lock first, so that a second gateway reports that
  // another instance holds the directory, and not that its port is in use.
  if (!existsSync(directory.database)) await withPorts(options.config)
  const lock = await holdDataDirectory(directory)
  closer.add('lock', () => lock.release())
  await refuseServed(directory)
  releaseSpareRoom(directory.spareRoom)
  if (options.acceptDataLoss !== true) refuseEmptied(directory)
  else if (membershipOf(directory) !== null || isClustered(options.config))
    throw new Error(NO_LOSS_IN_CLUSTER)
  options.log.write('info', 'starting', { version: VERSION, pid: process.pid })
  unpackSecrets(directory)
  // A gateway that joins a cluster gets the authority of the others.
  if (!isClustered(options.config)) expectCertificate(options.config, directory)
  loadSecret(directory.jwtKey)
  return directory
}

/**
 * Refuses a directory whose gateway answers although this process has the lock. So on a file system whose
 * locks do nothing, a second gateway does not open the database.
 */
async function refuseServed({ controlSocket, path }: DataDirectory): Promise<void> {
  const gateway = await connectControl(controlSocket)
  if (gateway === null) return
  gateway.close()
  throw new DataDirectoryHeld(path)
}
