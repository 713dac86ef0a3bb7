/**
 * `roost certificate`: a private certificate authority, and the certificate that it issues for the gateway.
 */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { certificateName, machineNames, uniqueNames } from '#app/certificate/machine-names.ts'
import { makeCertificate } from '#app/certificate/make-certificate.ts'
import { isOwnCertificateServed, readIfThere, withOwnCertificate } from '#app/certificate/own-certificate.ts'
import { readCertificate } from '#app/certificate/read-certificate.ts'
import {
  answer,
  type CommandContext,
  type CommandIo,
  type CommonOptions,
  optionsOf,
} from '#app/command-io.ts'
import { actAsOwner } from '#app/commands/act-as-owner.ts'
import { loadConfig } from '#app/config/config-file.ts'
import { findDataDirectory } from '#app/config/find-data-directory.ts'
import { publicUrlOf } from '#app/config/public-url.ts'
import { connectControl } from '#app/control/control-client.ts'
import type { Config } from '#contracts/config.ts'
import { invalid, Problem } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import { type DataDirectory, dataDirectory, makeDataDirectory } from '#storage/data-directory.ts'

interface CreateOptions extends CommonOptions {
  readonly name?: readonly string[]
}

/** The configuration and the data directory of a command. */
interface Location {
  readonly config: Config
  readonly directory: DataDirectory
}

const NONE = 'there is no certificate yet: make one with `roost certificate create`'

export function addCertificateCommands(program: Command, context: CommandContext): void {
  const { io } = context
  const certificate = program.command('certificate').description('HTTPS with a private certificate authority')
  certificate
    .command('create')
    .description('make a certificate for this machine, and at the first call the authority that issues it')
    .option('--name <name...>', 'further host names and addresses of the gateway')
    .action((_: unknown, command: Command) => create(io, optionsOf<CreateOptions>(command)))
  certificate
    .command('show')
    .description('show the certificate of the gateway')
    .action((_: unknown, command: Command) => {
      const options = optionsOf(command)
      const location = findLocation(io, options)
      answer(io, options, describe(location))
    })
  certificate
    .command('renew')
    .description('renew the certificate, with its names and the current names of the machine')
    .action((_: unknown, command: Command) => renew(io, optionsOf(command)))
}

async function create(io: CommandIo, options: CreateOptions): Promise<void> {
  const given = options.name ?? []
  const wrong = given.filter(name => certificateName(name) === null)
  if (wrong.length > 0)
    throw invalid(
      wrong.map(name => ({ path: '--name', message: `"${name}" is neither a host name nor an address` })),
    )
  const location = findLocation(io, options)
  makeDataDirectory(location.directory)
  const names = uniqueNames([...given, ...machineNames(publicUrlOf(location.config))])
  await make(io, options, { location, names })
}

async function renew(io: CommandIo, options: CommonOptions): Promise<void> {
  const location = findLocation(io, options)
  const pem = readIfThere(location.directory.certificate)
  if (pem === null) throw new Problem('NOT_FOUND', NONE)
  const names = uniqueNames([...readCertificate(pem).names, ...machineNames(publicUrlOf(location.config))])
  await make(io, options, { location, names })
}

async function make(
  io: CommandIo,
  options: CommonOptions,
  { location, names }: { readonly location: Location; readonly names: readonly string[] },
): Promise<void> {
  await makeCertificate(location.directory, { names, nowMs: Date.now() })
  const next = await nextStep(location)
  answer(io, options, {
    ...describe({ ...location, config: withOwnCertificate(location.config) }),
    note: next,
  })
}

/** Makes a running gateway load the certificate. Returns a sentence: what the owner still has to do. */
async function nextStep({ config, directory }: Location): Promise<string> {
  if (config.http.tls_port === 0)
    return 'Set http.tls_port in the configuration, for example to 8443, and start the gateway again.'
  if (!isOwnCertificateServed(withOwnCertificate(config), directory))
    return 'The gateway does not use this certificate: http.tls_cert_file names another one.'
  const gateway = await connectControl(directory.controlSocket, statSync(directory.path).uid)
  if (gateway === null) return 'The gateway uses the certificate from its next start on.'
  try {
    const fault = await gateway.takeCertificate()
    return fault === null
      ? 'The gateway uses the certificate now.'
      : `The gateway cannot use the certificate: ${fault}.`
  } finally {
    gateway.close()
  }
}

/**
 * Finds the configuration and the data directory. The directory may be missing, because a certificate can be
 * made before the first start of the gateway.
 *
 * @throws Problem when the directory belongs to another user
 */
function findLocation(io: CommandIo, options: CommonOptions): Location {
  const loaded = loadConfig({ options, env: io.env, cwd: io.cwd })
  const data_dir = findDataDirectory({ loaded, cwd: io.cwd, mayCreate: true })
  const directory = dataDirectory(data_dir)
  actAsOwner(data_dir, io.user)
  const { http } = loaded.config
  const named = http.tls_cert_file === '' ? '' : resolve(io.cwd, http.tls_cert_file)
  return { config: { ...loaded.config, data_dir, http: { ...http, tls_cert_file: named } }, directory }
}

/** Describes the certificate that the configuration names, or else the gateway's own. */
function describe({ config, directory }: Location) {
  const { tls_cert_file } = config.http
  const file = tls_cert_file === '' ? directory.certificate : tls_cert_file
  const isOwn = file === directory.certificate
  const pem = isOwn ? readIfThere(file) : readFileSync(file)
  if (pem === null) throw new Problem('NOT_FOUND', NONE)
  const { names, notBefore, notAfter, fingerprint, issuer } = readCertificate(pem)
  const authority = isOwn ? readCertificate(readFileSync(directory.authority)) : null
  const json = {
    file,
    names,
    notBefore: instant(notBefore),
    notAfter: instant(notAfter),
    fingerprint,
    issuer: issuer.replace(/^CN=/, ''),
    madeByRoost: isOwn,
    authority:
      authority === null
        ? null
        : { fingerprint: authority.fingerprint, notAfter: instant(authority.notAfter) },
  }
  const lines = [
    ['Certificate', file],
    ['Names', names.join(', ')],
    ['Valid', `${json.notBefore} to ${json.notAfter}`],
    ['Issued by', json.issuer],
    ...(json.authority === null
      ? []
      : [
          ['Authority', `valid to ${json.authority.notAfter}`],
          ['', `SHA-256 ${json.authority.fingerprint}`],
        ]),
  ]
  const text = lines.map(([label = '', value = '']) => `${label.padEnd(12)} ${value}`).join('\n')
  return { json, text }
}
