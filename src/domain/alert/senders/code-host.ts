import type { Report } from '#domain/alert/compose-report.ts'
import { findLabel, labelOf, openScopes, scalarOf } from '#domain/alert/guess/find-fields.ts'
import { isObject, type Json, type JsonObject, objectsOf } from '#domain/alert/read/json-value.ts'
import type { Payload } from '#domain/alert/read/read-payload.ts'
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

/**
 * An event of a code host (GitHub, GitLab, Gitea, Forgejo): a `repository` or a `project` with a full name,
 * and the event's name in a header or in `object_kind`. State from the subject's conclusion or status, else
 * `action`.
 */
export function describeForge(payload: Payload): Report | null {
  const { value, headers } = payload
  if (!isObject(value)) return null
  const header = EVENT_HEADERS.map(name => headers[name]).find(text => text !== undefined)
  const event = cleanLine(header ?? scalarOf(value['object_kind'])).replace(/ hook$/i, '')
  const repository = repositoryOf(value)
  if (event === 'ping' || (Object.hasOwn(value, 'zen') && Object.hasOwn(value, 'hook_id'))) {
    return {
      state: readState('test'),
      what: repository || 'ping',
      summary: cleanLine(scalarOf(value['zen'])),
    }
  }
  if (repository === '') return null
  const key = SUBJECTS.find(name => isObject(value[name]))
  if (key === undefined && event === '') return null
  const subject = key === undefined ? {} : (value[key] as JsonObject)
  return describeSubject(value, { event: event || (key ?? ''), key: key ?? '', subject, repository })
}

interface Subject {
  readonly event: string
  readonly key: string
  readonly subject: JsonObject
  readonly repository: string
}

function describeSubject(value: JsonObject, { event, key, subject, repository }: Subject): Report {
  const outcome = OUTCOMES.map(name => readState(scalarOf(subject[name]))).find(
    state => state !== null && state.kind !== 'weak',
  )
  const runs = /workflow|check|pipeline|build|deployment|status|job/i.test(`${event} ${key}`)
  const state = runs
    ? (outcome ?? readState(scalarOf(value['state']) || scalarOf(value['build_status'])))
    : null
  const action = cleanLine(scalarOf(value['action']) || scalarOf(subject['action']))
  const isNameless = ['object_attributes', 'head_commit', 'alert', 'commit_status', ''].includes(key)
  const kind = cleanLine((isNameless ? event : key).replace(/^.*:/, '').replace(/_/g, ' '))
  const number = scalarOf(subject['number']) || scalarOf(subject['iid'])
  const branch = cleanLine(
    scalarOf(subject['head_branch']) ||
      scalarOf(subject['ref'] ?? value['ref']) ||
      scalarOf(subject['target']),
  ).replace(/^refs\/heads\//, '')
  const title = titleOf(value, subject)
  if (runs) {
    const name =
      cleanLine(scalarOf(subject['name']) || scalarOf(value['build_name'])) || labelOf(value['workflow'])
    const environment = cleanLine(scalarOf(subject['environment']))
    const place = branch !== '' ? `on ${branch}` : environment === '' ? '' : `to ${environment}`
    const label = [kind.replace(/ (?:run|status|status updated)$/, ''), name === title ? '' : name, place]
    const head = label.filter(part => part !== '').join(' ')
    const done: State | null = action === '' ? null : { word: action.toUpperCase(), kind: 'other' }
    return {
      state: state === null || state.kind === 'quiet' ? done : state,
      what: repository,
      summary: title === '' ? head : `${head} - ${title}`,
    }
  }
  const rank = readState(scalarOf(subject['severity']) || severityOf(subject))
  const by = cleanLine(
    labelOf(value['sender']) || scalarOf((value['sender'] as JsonObject | null)?.['login'] ?? null),
  )
  const to = event.startsWith('push') && branch !== '' ? `to ${branch}` : ''
  const what = [kind, to, number === '' ? '' : `#${number}`, action.replace(/_/g, ' ')]
    .filter(part => part !== '')
    .join(' ')
  return {
    state: rank?.kind === 'bad' || rank?.word === 'HIGH' ? rank : null,
    what: repository,
    summary: title === '' ? what : `${what} - ${title}`,
    detail: by === '' ? [] : [`by ${by}`],
  }
}

function severityOf(subject: JsonObject): string {
  const advisory = subject['security_advisory']
  return isObject(advisory) ? scalarOf(advisory['severity']) : ''
}

function titleOf(value: JsonObject, subject: JsonObject): string {
  const advisory = subject['security_advisory']
  if (isObject(advisory)) return cleanLine(scalarOf(advisory['summary'])).slice(0, 200)
  const own =
    TITLES.map(name => cleanLine(scalarOf(subject[name]))).find(text => text !== '') ||
    (isObject(subject['rule']) ? cleanLine(scalarOf(subject['rule']['description'])) : '') ||
    undefined
  if (own !== undefined) return own.slice(0, 200)
  const commit = objectsOf(value['commits']).at(-1) ?? value['commit']
  const message = isObject(commit) ? scalarOf(commit['message']) || scalarOf(commit['title']) : ''
  return cleanLine(message.split('\n')[0] ?? '').slice(0, 200)
}

function repositoryOf(value: JsonObject): string {
  for (const key of ['repository', 'project', 'repo']) {
    const repository: Json | undefined = value[key]
    if (!isObject(repository)) continue
    const full =
      scalarOf(repository['full_name']) ||
      scalarOf(repository['path_with_namespace']) ||
      (key === 'repo' ? scalarOf(repository['slug']) : '')
    if (full !== '') return cleanLine(full)
  }
  const slug = findLabel(openScopes(value), ['repositoryfullname', 'reposlug'])
  return slug
}
