import type { Body } from '#domain/alert/body.ts'
import { labelOf } from '#domain/alert/read/find-fields.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import {
  actionOf,
  actorOf,
  advisoryOf,
  branchOf,
  eventOf,
  repositoryOf,
  titleOf,
} from '#domain/alert/senders/read-code-event.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { joinWords, withPlace } from '#domain/alert/text/join-words.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

const OUTCOMES = ['conclusion', 'detailed_status', 'status', 'state'] as const
/** Keys that say less about what happened than the name of the event does. */
const NAMELESS: readonly string[] = ['object_attributes', 'head_commit', 'alert', 'commit_status', '']
const JOBS_SHOWN = 3

/** The test event that a code host sends when a webhook is created. */
export const codeHostPing: Sender = {
  format: 'generic',
  matches: body => eventOf(body).event === 'ping' || (body.has('zen') && body.has('hook_id')),
  state: [() => readState('test')],
  subject: [repositoryOf, () => 'ping'],
  reason: ['zen'],
}

/**
 * An event of a code host (GitHub, GitLab, Gitea, Forgejo, Bitbucket). It has a repository or project with
 * its full name. The name of the event is in a header, in `object_kind`, or the key of an object. A run (a
 * workflow, a build) has an outcome; any other event has an action.
 */
export const codeHost: Sender = {
  format: 'generic',
  matches: body => repositoryOf(body) !== '' && eventOf(body).event !== '',
  state: [body => (isRun(body) ? outcomeOf(body) : severityState(body))],
  subject: [repositoryOf],
  reason: [
    body => {
      const label = isRun(body) ? describeRun(body) : describeAction(body)
      return titleOf(body) === '' ? label : `${label} - ${titleOf(body)}`
    },
  ],
  extras: [faultOf, body => (isRun(body) || actorOf(body) === '' ? '' : `by ${actorOf(body)}`)],
}

/** Why a GitLab job failed: `runner system failure`. Empty if its script failed, as most jobs do. */
function faultOf(body: Body): string {
  const reason = body.line('build_failure_reason')
  return /^(?:script|unknown)_failure$/.test(reason) ? '' : reason.replace(/_/g, ' ')
}

function isRun(body: Body): boolean {
  const { event, key } = eventOf(body)
  return /workflow|check|pipeline|build|deployment|status|job|\brun$/i.test(`${event} ${key}`)
}

/** How a run ended. Before the run has ended: its action, in capitals. */
function outcomeOf(body: Body): State | null {
  const { subject } = eventOf(body)
  const ended = OUTCOMES.map(name => readState(scalarOf(subject[name]))).find(
    state => state !== null && state.kind !== 'weak',
  )
  const state = ended ?? readState(body.raw('state') || body.raw('build_status'))
  if (state !== null && state.kind !== 'quiet') return state
  const action = actionOf(body)
  return action === '' ? null : { word: action.toUpperCase(), kind: 'other' }
}

function severityState(body: Body): State | null {
  const { subject } = eventOf(body)
  const state = readState(scalarOf(subject['severity']) || scalarOf(advisoryOf(subject)['severity']))
  return state?.kind === 'bad' || state?.word === 'HIGH' ? state : null
}

function kindOf(body: Body): string {
  const { event, key } = eventOf(body)
  // A run of Forgejo Actions: its event is `action_run_failure`.
  if (key === 'run') return 'workflow'
  return cleanLine((NAMELESS.includes(key) ? event : key).replace(/^.*:/, '').replace(/_/g, ' '))
}

/** `workflow CI on main` */
function describeRun(body: Body): string {
  const { subject } = eventOf(body)
  const own = cleanLine(scalarOf(subject['name'])) || body.line('build_name', 'run.workflow_id')
  const name = own || labelOf(body.at('workflow'))
  const environment = cleanLine(scalarOf(subject['environment']))
  const place = withPlace('on', branchOf(body)) || withPlace('to', environment)
  const kind = kindOf(body).replace(/ (?:run|status|status updated)$/, '')
  const label = joinWords(kind, name === titleOf(body) ? '' : name, place)
  const jobs = failedJobs(body)
  return jobs === '' ? label : `${label}, job ${jobs}`
}

/** The first failed jobs of a GitLab pipeline, without those that may fail. */
function failedJobs(body: Body): string {
  return body
    .objects('builds')
    .filter(job => job['status'] === 'failed' && job['allow_failure'] !== true)
    .slice(0, JOBS_SHOWN)
    .map(job => cleanLine(scalarOf(job['name'])))
    .join(', ')
}

/** `issue #7 opened` */
function describeAction(body: Body): string {
  const { event, subject } = eventOf(body)
  const number = scalarOf(subject['number']) || scalarOf(subject['iid'])
  const to = event.startsWith('push') ? withPlace('to', branchOf(body)) : ''
  const action = actionOf(body).replace(/_/g, ' ')
  return joinWords(kindOf(body), to, number === '' ? '' : `#${number}`, action)
}
