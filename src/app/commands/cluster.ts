/** `roost cluster`: several gateways with one queue. */
import type { Command } from 'commander'
import { answer, type CommandContext, type CommonOptions, optionsOf, table } from '#app/command-io.ts'
import { actAsOwner } from '#app/commands/act-as-owner.ts'
import { confirm } from '#app/commands/confirm.ts'
import { oneLine } from '#app/commands/one-line.ts'
import { since } from '#app/commands/since.ts'
import { loadConfig } from '#app/config/config-file.ts'
import { findDataDirectory } from '#app/config/find-data-directory.ts'
import type { ClusterRequest } from '#app/control/cluster-requests.ts'
import { EXIT } from '#app/exit-code.ts'
import type { ClusterState } from '#contracts/cluster.ts'
import type { Config } from '#contracts/config.ts'
import { Problem } from '#domain/problem.ts'

export function addClusterCommands(program: Command, context: CommandContext): void {
  const cluster = program
    .command('cluster')
    .description('several gateways with one queue: one leads, and another goes on when it fails')
  cluster
    .command('create')
    .description('found a cluster with the data of this gateway')
    .action((_: unknown, command: Command) => create(context, command, { do: 'create' }))
  cluster
    .command('invite')
    .description('print a one-time code for another gateway, on the gateway that leads; valid for 10 minutes')
    .action((_: unknown, command: Command) => invite(context, command))
  cluster
    .command('join')
    .argument('<code>', 'a code of roost cluster invite')
    .description('take a copy of the cluster’s data; what this gateway had is moved aside')
    .action((code: string, _: unknown, command: Command) => join(context, command, code))
  cluster
    .command('leave')
    .description('end the membership of this gateway; its data stays')
    .action((_: unknown, command: Command) => leave(context, command))
  cluster
    .command('status')
    .description('show who leads and who follows; exit code 1: a problem is critical, or nobody leads')
    .action((_: unknown, command: Command) => status(context, command))
  cluster
    .command('recover')
    .description('found the cluster again with the data of this gateway, after its log is gone for good')
    .option('--yes', 'do not ask')
    .action((_: unknown, command: Command) => recover(context, command))
}

async function create(context: CommandContext, command: Command, request: ClusterRequest): Promise<void> {
  const options = optionsOf(command)
  const { id } = (await askCluster(context, options, request)) as { readonly id: string }
  answer(context.io, options, {
    json: { id },
    text: id,
    note: 'This gateway leads the cluster once it runs. Then, for each other gateway: roost cluster invite',
  })
}

async function recover(context: CommandContext, command: Command): Promise<void> {
  const options = optionsOf<CommonOptions & { readonly yes?: boolean }>(command)
  clusterConfig(context, options, false)
  const question =
    'What is in etcd is removed, and what only other members have is lost. Found it again here? [y/N] '
  if (options.yes !== true && !(await confirm(context.io, question))) {
    context.exitCode = EXIT.failed
    return
  }
  await create(context, command, { do: 'recover' })
}

async function invite(context: CommandContext, command: Command): Promise<void> {
  const options = optionsOf(command)
  const json = (await askCluster(context, options, { do: 'invite' })) as { readonly code: string }
  answer(context.io, options, {
    json,
    text: json.code,
    note: 'Within 10 minutes, on the other gateway: roost cluster join CODE',
  })
}

async function join(context: CommandContext, command: Command, code: string): Promise<void> {
  const options = optionsOf(command)
  const joined = await askCluster(context, options, { do: 'join', code })
  const json = joined as { readonly aside: string | null }
  const moved = json.aside === null ? '' : ` What was here is in ${json.aside} of the data directory.`
  answer(context.io, options, { json, text: `This gateway is a member of the cluster.${moved}` })
}

async function leave(context: CommandContext, command: Command): Promise<void> {
  const options = optionsOf(command)
  const json = (await askCluster(context, options, { do: 'leave' })) as { readonly id: string }
  answer(context.io, options, {
    json,
    text: `This gateway has left the cluster ${json.id}. Its data is as old as its copy was.`,
    note: 'To serve it alone, remove [cluster] from the configuration and restart the gateway.',
  })
}

async function status(context: CommandContext, command: Command): Promise<void> {
  const options = optionsOf(command)
  const state = (await askCluster(context, options, { do: 'status' })) as ClusterState
  const isCritical = state.problems.some(({ severity }) => severity === 'critical')
  if (isCritical || state.leader === null) context.exitCode = EXIT.failed
  answer(context.io, options, { json: state, text: describe(state, Date.now()) })
}

function describe(
  { id, name, role, leader, quorum, log, members, problems }: ClusterState,
  nowMs: number,
): string {
  const lead = leader === null ? 'Nobody leads.' : `${leader.name} leads: ${leader.url}`
  const rows = members.map(one => [
    one.name,
    one.url,
    one.name === leader?.name ? 'leader' : 'follower',
    String(one.applied),
    since(one.lastSeen, nowMs),
  ])
  return [
    `Cluster ${id ?? '-'}. This gateway, ${name}, is ${role}, with entry ${log.applied} of ${log.head}.`,
    quorum ? lead : 'No majority of etcd answers.',
    ...(rows.length === 0 ? [] : [table(['GATEWAY', 'ADDRESS', 'ROLE', 'ENTRY', 'SEEN'], rows)]),
    ...problems.map(({ code, message, fix }) => `${code}: ${oneLine(message)}.\n  ${oneLine(fix)}`),
  ].join('\n\n')
}

/** @throws Problem CONFLICT when the configuration names no etcd */
function clusterConfig({ io }: CommandContext, options: CommonOptions, mayCreate: boolean): Config {
  const loaded = loadConfig({ options, env: io.env, cwd: io.cwd })
  const config = { ...loaded.config, data_dir: findDataDirectory({ loaded, cwd: io.cwd, mayCreate }) }
  if (config.cluster.etcd.length > 0) return config
  throw new Problem('CONFLICT', 'this gateway is in no cluster: set cluster.etcd in the configuration')
}

/** Asks the running gateway, or does it here if none runs. */
async function askCluster(
  context: CommandContext,
  options: CommonOptions,
  request: ClusterRequest,
): Promise<unknown> {
  const { io } = context
  const config = clusterConfig(context, options, request.do === 'join' || request.do === 'create')
  const { carryOut } = await import('#app/cluster/carry-out.ts')
  actAsOwner(config.data_dir, io.user)
  return carryOut(config, request, sentence => io.stderr.write(`${sentence}\n`))
}
