import { HEALTH_CODES, HEALTH_SEVERITIES } from '#contracts/health.ts'
import type { Metric, MetricValue } from '#contracts/metrics.ts'
import { DEVICE_STATUSES } from '#contracts/primitives.ts'
import { proofOf } from '#domain/drill/drill.ts'
import type { Fleet } from '#domain/fleet.ts'
import type { HealthMemory } from '#domain/health/health-memory.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { byLabel, counter, gauge, histogram } from '#domain/metrics/describe-metric.ts'
import { Histogram, SECONDS_BOUNDS } from '#domain/metrics/histogram.ts'
import type { Storage } from '#storage/open-storage.ts'

const COMMANDS_BOUNDS = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
const STAGES = [
  'scheduled',
  'waiting',
  'offered',
  'sending',
  'resting',
] as const satisfies OpenMessage['stage'][]

/** The writer's metrics: counters, and gauges of the state in memory. */
export class WriterMetrics {
  readonly #commands = new Histogram(COMMANDS_BOUNDS)
  readonly #seconds = new Histogram(SECONDS_BOUNDS)

  /** Records one transaction. */
  batched(commands: number, ms: number): void {
    this.#commands.observe(commands)
    this.#seconds.observe(ms / 1000)
  }

  /** Reads all metrics. Visits each open message, which takes about 10 ns for each. */
  read(
    { batch, lastLoss }: Pick<Storage, 'batch' | 'lastLoss'>,
    loop: { readonly waiting: number; readonly isFull: boolean },
  ): Metric[] {
    const { fleet, statuses, health, drills } = batch
    const { stages, devices } = countFleet(fleet)
    return [
      gauge({ name: 'roost_messages_open', help: 'Messages that are not final, by their place.' }, stages),
      counter(
        { name: 'roost_message_transitions_total', help: 'How often messages reached a status.' },
        byLabel('status', statuses.entries()),
      ),
      gauge(
        {
          name: 'roost_commits_lost',
          help: 'Commits that the database had lost at the last recorded loss. 0: no loss is recorded.',
        },
        lastLoss?.commits ?? 0,
      ),
      gauge({ name: 'roost_disk_full', help: '1 while the disk accepts no writes.' }, Number(loop.isFull)),
      gauge(
        { name: 'roost_problem', help: 'Current problems, as in GET /api/v1/status.' },
        countProblems(health),
      ),
      gauge(
        { name: 'roost_incidents', help: 'Incidents that are not closed, by state.' },
        byLabel('state', batch.incidents.counts()),
      ),
      counter(
        { name: 'roost_drills_total', help: 'Drills that ended, by outcome.' },
        byLabel('outcome', drills.entries()),
      ),
      gauge(
        {
          name: 'roost_phone_proven_timestamp_seconds',
          help: 'When a text of a phone last came back in a drill. 0: never.',
        },
        [...fleet.phones.values()].map(({ id, device }) => {
          return { labels: { device: id }, value: Math.floor((proofOf(device).sends ?? 0) / 1000) }
        }),
      ),
      gauge({ name: 'roost_devices', help: 'Paired phones by status.' }, devices),
      gauge(
        { name: 'roost_writer_commands_waiting', help: 'Commands that wait for a transaction.' },
        loop.waiting,
      ),
      histogram({ name: 'roost_writer_batch_commands', help: 'Commands in one transaction.' }, [
        [{}, this.#commands],
      ]),
      histogram(
        { name: 'roost_writer_batch_duration_seconds', help: 'Duration of a transaction with its commit.' },
        [[{}, this.#seconds]],
      ),
    ]
  }
}

/** One value for each code and severity, even 0: an alert on a missing series would never fire. */
function countProblems(health: HealthMemory): MetricValue[] {
  const problems = [...health.all()]
  return HEALTH_CODES.flatMap(code =>
    HEALTH_SEVERITIES.map(severity => {
      const matching = problems.filter(one => one.code === code && one.severity === severity)
      return { labels: { code, severity }, value: matching.length }
    }),
  )
}

function countFleet(fleet: Fleet) {
  const stages = new Map<string, number>(STAGES.map(stage => [stage, 0]))
  for (const { stage } of fleet.messages.values()) stages.set(stage, (stages.get(stage) ?? 0) + 1)
  const devices = new Map<string, number>(DEVICE_STATUSES.map(status => [status, 0]))
  for (const { status } of fleet.phones.values()) devices.set(status, (devices.get(status) ?? 0) + 1)
  return { stages: byLabel('place', stages), devices: byLabel('status', devices) }
}
