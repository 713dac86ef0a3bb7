import { type Body, oncePerBody } from '#domain/alert/body.ts'
import { labelOf } from '#domain/alert/read/find-fields.ts'
import { isObject, type JsonObject, objectsOf } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'

/**
 * The keys of objects that an event of a code host can be about, the most specific first. The key is also the
 * name of an event that has no other name.
 */
const SUBJECTS = [
  'workflow_run',
  'run',
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

const REPOSITORIES = [
  'repository.full_name',
  'repository.path_with_namespace',
  'project.full_name',
  'project.path_with_namespace',
  'repo.full_name',
  'repo.path_with_namespace',
  'repo.slug',
  'run.repository.full_name',
]
const TITLE_LENGTH_MAX = 200

/** The name of the event, the key of the object that it is about, and that object. */
export const eventOf = oncePerBody((body: Body) => {
  const header = EVENT_HEADERS.map(name => body.headers[name]).find(text => text !== undefined)
  // GitLab calls a job "build" in the body, and "Job" in the header.
  const kind = body.raw('object_kind').replace(/^build$/, 'job')
  const named = cleanLine(header ?? kind).replace(/ hook$/i, '')
  const key = SUBJECTS.find(name => isObject(body.at(name))) ?? ''
  return { event: named || key, key, subject: (key === '' ? {} : body.at(key)) as JsonObject }
})

export function actionOf(body: Body): string {
  return cleanLine(body.raw('action') || scalarOf(eventOf(body).subject['action']))
}

export function branchOf(body: Body): string {
  const { subject } = eventOf(body)
  const suite = isObject(subject['check_suite']) ? subject['check_suite'] : {}
  const branch = scalarOf(subject['head_branch'] ?? subject['prettyref'] ?? suite['head_branch'])
  const ref = scalarOf(subject['ref'] ?? body.at('ref'))
  return cleanLine(branch || ref || scalarOf(subject['target'])).replace(/^refs\/heads\//, '')
}

/** The security advisory of an alert. Empty: the alert has none. */
export function advisoryOf(subject: JsonObject): JsonObject {
  return isObject(subject['security_advisory']) ? subject['security_advisory'] : {}
}

export function titleOf(body: Body): string {
  const { subject } = eventOf(body)
  const rule = isObject(subject['rule']) ? subject['rule'] : {}
  const output = isObject(subject['output']) ? subject['output'] : {}
  const first = [output['title'], advisoryOf(subject)['summary']]
  const own = [...first, ...TITLES.map(name => subject[name]), rule['description']].map(value =>
    cleanLine(scalarOf(value)),
  )
  const commit = objectsOf(body.at('commits')).at(-1) ?? body.at('commit')
  const message = isObject(commit) ? scalarOf(commit['title']) || scalarOf(commit['message']) : ''
  const title = own.find(text => text !== '') ?? cleanLine(message.split('\n')[0] ?? '')
  return title.slice(0, TITLE_LENGTH_MAX)
}

export function repositoryOf(body: Body): string {
  return body.line(...REPOSITORIES) || body.label('repositoryfullname', 'reposlug') || projectOf(body)
}

/** The project of a GitLab job, which has the field `project` only since GitLab 16: `acme / shop`. */
function projectOf(body: Body): string {
  return body.has('build_name') ? body.line('project_name').replace(' / ', '/') : ''
}

export function actorOf(body: Body): string {
  return cleanLine(labelOf(body.at('sender')) || body.raw('sender.login'))
}
