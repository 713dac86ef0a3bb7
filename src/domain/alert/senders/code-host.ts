import { type Body, once } from '#domain/alert/body.ts'
import { labelOf } from '#domain/alert/read/find-fields.ts'
import { isObject, type JsonObject, objectsOf } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

/**
 * Objects that an event of a code host is about, the most particular first; each is also the event's
 * name.
 */
const SUBJECTS = [
  'workflow_run',
  'workflow_job',
  'check_run',
  'check_suite',
  'deployment_status',
  'release',
  'comment',
  'review',
  'pull_request',
  'issue',
  'alert',
  'vulnerability_alert',
  'discussion',
  'package',
  'object_attributes',
  'deployment',
  'commit_status',
  'build',
  'head_commit',
] as const
const EVENT_HEADERS = [
  'x-github-event',
  'x-gitlab-event',
  'x-gitea-event',
  'x-forgejo-event',
  'x-gogs-event',
  'x-event-key',
] as const
const TITLES = [
  'display_title',
  'title',
  'name',
  'tag_name',
  'context',
  'message',
  'summary',
  'description',
  'secret_type_display_name',
] as const
const OUTCOMES = ['conclusion', 'detailed_status', 'status', 'state'] as const

/** Subjects whose event says better what they are. */
const NAMELESS: readonly string[] = ['object_attributes', 'head_commit', 'alert', 'commit_status', '']
const REPOSITORIES = [
  'repository.full_name',
  'repository.path_with_namespace',
  'project.full_name',
  'project.path_with_namespace',
  'repo.full_name',
  'repo.path_with_namespace',
  'repo.slug',
]
const TITLE_LENGTH_MAX = 200

/** The first event of a hook that was just made. */
export const codeHostPing: Sender = {
  format: 'generic',
  matches: body => eventOf(body).event === 'ping' || (body.has('zen') && body.has('hook_id')),
  state: [() => readState('test')],
  subject: [repositoryOf, () => 'ping'],
  reason: ['zen'],
}

/**
 * An event of a code host (GitHub, GitLab, Gitea, Forgejo, Bitbucket): a repository or a project with a full
 * name, and the event's name in a header, in `object_kind` or by its subject. What runs has an outcome;
 * anything else an action.
 */
export const codeHost: Sender = {
  format: 'generic',
  matches: body => repositoryOf(body) !== '' && eventOf(body).event !== '',
  state: [body => (isRun(body) ? outcomeOf(body) : rankOf(body))],
  subject: [repositoryOf],
  reason: [
    body => {
      const label = isRun(body) ? runOf(body) : deedOf(body)
      return titleOf(body) === '' ? label : `${label} - ${titleOf(body)}`
    },
  ],
  extras: [body => (isRun(body) || actorOf(body) === '' ? '' : `by ${actorOf(body)}`)],
}

/** The event's name, the key of what it is about, and that object. */
const eventOf = once((body: Body) => {
  const header = EVENT_HEADERS.map(name => body.headers[name]).find(text => text !== undefined)
  const named = cleanLine(header ?? body.raw('object_kind')).replace(/ hook$/i, '')
  const key = SUBJECTS.find(name => isObject(body.at(name))) ?? ''
  return { event: named || key, key, subject: (key === '' ? {} : body.at(key)) as JsonObject }
})

function isRun(body: Body): boolean {
  const { event, key } = eventOf(body)
  return /workflow|check|pipeline|build|deployment|status|job/i.test(`${event} ${key}`)
}

/** How it ended; while it has not, its action in capitals. */
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

function rankOf(body: Body): State | null {
  const { subject } = eventOf(body)
  const rank = readState(scalarOf(subject['severity']) || scalarOf(advisoryOf(subject)['severity']))
  return rank?.kind === 'bad' || rank?.word === 'HIGH' ? rank : null
}

function actionOf(body: Body): string {
  return cleanLine(body.raw('action') || scalarOf(eventOf(body).subject['action']))
}

function kindOf(body: Body): string {
  const { event, key } = eventOf(body)
  return cleanLine((NAMELESS.includes(key) ? event : key).replace(/^.*:/, '').replace(/_/g, ' '))
}

function branchOf(body: Body): string {
  const { subject } = eventOf(body)
  const ref = scalarOf(subject['ref'] ?? body.at('ref'))
  return cleanLine(scalarOf(subject['head_branch']) || ref || scalarOf(subject['target'])).replace(
    /^refs\/heads\//,
    '',
  )
}

/** `workflow CI on main` */
function runOf(body: Body): string {
  const { subject } = eventOf(body)
  const own = cleanLine(scalarOf(subject['name']) || body.raw('build_name'))
  const name = own || labelOf(body.at('workflow'))
  const branch = branchOf(body)
  const environment = cleanLine(scalarOf(subject['environment']))
  const place = branch !== '' ? `on ${branch}` : environment === '' ? '' : `to ${environment}`
  const kind = kindOf(body).replace(/ (?:run|status|status updated)$/, '')
  return join([kind, name === titleOf(body) ? '' : name, place])
}

/** `issue #7 opened` */
function deedOf(body: Body): string {
  const { event, subject } = eventOf(body)
  const number = scalarOf(subject['number']) || scalarOf(subject['iid'])
  const branch = branchOf(body)
  const to = event.startsWith('push') && branch !== '' ? `to ${branch}` : ''
  return join([kindOf(body), to, number === '' ? '' : `#${number}`, actionOf(body).replace(/_/g, ' ')])
}

function actorOf(body: Body): string {
  return cleanLine(labelOf(body.at('sender')) || body.raw('sender.login'))
}

function advisoryOf(subject: JsonObject): JsonObject {
  return isObject(subject['security_advisory']) ? subject['security_advisory'] : {}
}

function titleOf(body: Body): string {
  const { subject } = eventOf(body)
  const rule = isObject(subject['rule']) ? subject['rule'] : {}
  const own = [advisoryOf(subject)['summary'], ...TITLES.map(name => subject[name]), rule['description']].map(
    value => cleanLine(scalarOf(value)),
  )
  const commit = objectsOf(body.at('commits')).at(-1) ?? body.at('commit')
  const message = isObject(commit) ? scalarOf(commit['message']) || scalarOf(commit['title']) : ''
  const title = own.find(text => text !== '') ?? cleanLine(message.split('\n')[0] ?? '')
  return title.slice(0, TITLE_LENGTH_MAX)
}

function repositoryOf(body: Body): string {
  return body.line(...REPOSITORIES) || body.label('repositoryfullname', 'reposlug')
}

function join(parts: readonly string[]): string {
  return parts.filter(part => part !== '').join(' ')
}
