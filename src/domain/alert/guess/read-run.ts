import type { Report } from '#domain/alert/compose.ts'
import { isLater, isOfPerson, isTelling } from '#domain/alert/guess/name-fields.ts'
import { stateOfField } from '#domain/alert/guess/role-state.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import { cleanLine, linesOf, mentions } from '#domain/alert/text/clean-text.ts'
import { isFaultLine } from '#domain/alert/text/fault-line.ts'
import { chooseState, readState, type State, tokensOf } from '#domain/alert/vocabulary/states.ts'

/*
 * Names of fields: the words of the object above, a point, and the words of the field itself. `projectName`
 * is `.project name`, `{"repo":{"FullName":…}}` is `repo.full name`.
 */
const NAME = '(?:display name|full name|path with namespace|friendly name|name|title)'
const ALIAS = '(?:slug|identifier|key|id)'
/** What was built, the closest to what people call it first. */
const PROJECTS = 'project|application|app|repository|repo|site|stack|product'
/** What ran. */
const PROGRAMS =
  'pipeline|workflow|job|builder|build plan|plan|build type|definition|build definition|connection' +
  '|connector|flow|dag|execution|task|check run|run'
/** What names the program if nothing else does. */
const SERVICES = 'application|app|service'
const BRANCH =
  /(?:^|[. ])branch(?: name|\.name)?$|\.(?:ref|reference|pretty ref|prettyref|git ref|.* commit ref)$/
const COMMIT = new RegExp(
  '\\.(?:commit|git|revision)(?: commit)? (?:message|title|subject)$' +
    '|(?:commit|revision)\\.(?:message|title)$|^(?:build|pipeline)\\.message$',
)
const HASH = /(?:^|[. ])(?:commit|revision|sha|changeset)\b/
const IS_HASH = /^(?=.*\d)[\da-f]{2,40}$/i
const NUMBER = /\.build (?:number|version)$|(?:build|run|pipeline|payload|execution)\.(?:number|counter)$/
const ERROR = new RegExp(
  '\\.(?:error|err|stderr|exception|(?:error|failure|fail)(?:ed)? (?:message|msg|description|reason|text' +
    '|output|details)|(?:(?:run|job|build) )?status (?:text|message|description)' +
    '|failed (?:step|stage|job|task))$' +
    '|(?:errors?|failures?|exception)\\.(?:message|msg|details|description|reason|text)$',
)
const PART =
  /^(?:stages?|steps?|workflows?|jobs?|phases?|blocks?|tasks?|builds?)\.(?:name|display name|title|stage)$/
const STATE = /(?:^|[. ])(?:status|state|result|conclusion|outcome)(?: text| message)?$/
/** How a build ended, as a number: all but 0 are bad, as with programs. */
const RESULT = /^\.(?:build )?results?$/
const BUILD = /^\.build(?:er)? ?(?:id|name)$/
const FLAG = /\.(?:success|succeeded|passed|is success|build success)$/
const EVENT =
  /\.(?:event|event type|event name|type|action|object kind|detail type|notification|webhook event)$/
/** Words of names of events that are about something that ran. */
const RUNS =
  /(?:^|[^a-z])(?:build|deploy|deployment|pipeline|workflow|jobs?|run|sync|release|stage|execution)(?![a-z])/i
/** Texts that may say why, if no field has an error. */
const TEXT = /^(?:|data|payload|event|message|build|run)\.(?:message|text|summary|description|details?)$/
const PLACE = /(?:^|\.)(?:server|machine|environment|env|target)(?:[. ]name)?$|^\.(?:host|host ?name)$/
const PARTS_TOLD = 2
const VALUE_LENGTH_MAX = 120

/** The patterns of the name of a thing, the best name first. */
function named(things: string): readonly RegExp[] {
  return [
    new RegExp(`(?:^|\\.)(?:${things}) ${NAME}$|(?:^|\\.)(?:${things})\\.${NAME}$`),
    new RegExp(`^(?!metadata)[^.]*\\.(?:${things})$`),
    new RegExp(`(?:^|\\.)(?:${things}) ${ALIAS}$|(?:^|\\.)(?:${things})\\.${ALIAS}$`),
  ]
}

const PROJECT = named(PROJECTS)
const PROGRAM = named(PROGRAMS)
const SERVICE = named(SERVICES)

interface Named {
  readonly field: ListedField
  readonly name: string
  readonly text: string
}

/**
 * The report of something that ran and ended, such as a build, a deployment or a job, whoever ran it: of
 * which project, how it ended and why, with the branch and the change. `null` for any other body.
 */
export function readRun(fields: readonly ListedField[]): Report | null {
  const all = fields.filter(field => !isOfPerson(field) && !field.isLine).map(nameField)
  const state = stateOf(all)
  if (state === null) return null
  const own = all.filter(({ field }) => isTelling(field) && !field.keys.some(isIndex))
  const first = (...patterns: readonly RegExp[]) =>
    patterns
      .map(pattern => own.find(({ name, text }) => pattern.test(name) && isName(text))?.text ?? '')
      .find(text => text !== '') ?? ''
  const project = first(...PROJECT)
  const program = first(...PROGRAM) || first(...SERVICE)
  const isRun =
    all.some(({ name }) => BRANCH.test(name) || HASH.test(name)) ||
    all.some(({ name, text }) => EVENT.test(name) && RUNS.test(tokensOf(text).join(' '))) ||
    all.some(
      ({ name }) =>
        (STATE.test(name) && RUNS.test(name)) || BUILD.test(name) || /(?:^|\.)pipeline(?:[. ]|$)/.test(name),
    )
  const name = project || program || (isRun ? first(/^\.(?:name|title)$|^deployment\.name$/) : '')
  if (!isRun || name === '') return null
  const isBad = state.kind === 'bad'
  const parts = isBad ? failedParts(all).filter(part => part !== name && part !== program) : []
  const errors = isBad
    ? all
        .filter(({ field }) => isTelling(field) && !isLater(field))
        .filter(({ name, text }) => ERROR.test(name) && (/\S \S/.test(text) || isWord(text)))
        .map(({ field }) => errorOf(field))
    : []
  const isCommit = (one: Named) => COMMIT.test(one.name) && !isFaultLine(one.text)
  const texts = own.filter(one => TEXT.test(one.name) && !isCommit(one) && /\S \S/.test(one.text))
  const reasons = isBad && errors.length === 0 ? texts.slice(0, 1).map(({ field }) => errorOf(field)) : errors
  const commit = own.find(isCommit)?.field.value ?? ''
  const branch =
    own.find(one => BRANCH.test(one.name) && isName(one.text) && !IS_HASH.test(one.text))?.text ?? ''
  const ref = branch.replace(/^refs\/(?:heads|tags)\//, '')
  const number = all.find(one => NUMBER.test(one.name) && /^[\d.]{1,12}$/.test(one.text))?.text ?? ''
  const [change = ''] = linesOf(commit || (isBad ? '' : (texts[0]?.field.value ?? '')))
  return {
    format: 'generic',
    state,
    subject: joinNames(name, program),
    reason: [...parts.slice(0, PARTS_TOLD), ...reasons].filter(text => text !== ''),
    extras: [first(PLACE), ref, change, number === '' ? '' : `#${number}`],
  }
}

function nameField(field: ListedField): Named {
  const names = field.keys.filter(key => !isIndex(key)).slice(-2)
  const words = names.map(key => tokensOf(key.slice(0, 64).replace(/(?<=[a-z]{3})name$/, ' name')).join(' '))
  const name = `${words.length > 1 ? words[0] : ''}.${words.at(-1) ?? ''}`
  return { field, name, text: scalarOf(field.value.slice(0, VALUE_LENGTH_MAX)) }
}

/** Whether one word says why: no state, and no word for nothing. */
function isWord(text: string): boolean {
  return text !== '' && readState(text) === null
}

function isIndex(key: string): boolean {
  return /^\d+$/.test(key)
}

/** Whether a value may be a name: no address of a repository, no sentence, no state. */
function isName(text: string): boolean {
  return (
    /\p{L}/u.test(text) &&
    !/^git@|^ssh:|\.git$/.test(text) &&
    (/[ _-]/.test(text) || readState(text) === null)
  )
}

/** How it ended: a bad state of a field first, then a flag, then the name of the event. */
function stateOf(all: readonly Named[]): State | null {
  const present = all.filter(({ field }) => !isLater(field) && !field.keys.some(isPast))
  const states = present
    .filter(({ name, field }) => STATE.test(name) && !field.keys.some(isIndex))
    .flatMap(({ text }) => stateOfField(text) ?? [])
  const bad = states.find(({ kind }) => kind === 'bad')
  const isBuild = present.some(({ name }) => BUILD.test(name))
  const isFailed = present.some(
    ({ name, text }) =>
      (FLAG.test(name) && text === 'false') || (isBuild && RESULT.test(name) && /^[1-9]\d?$/.test(text)),
  )
  if (bad !== undefined || isFailed) return bad ?? readState('failed')
  const events = present
    .filter(({ name }) => EVENT.test(name))
    .flatMap(({ text }) => stateOfField(text) ?? [])
  return chooseState([...states, ...events].filter(({ kind }) => kind === 'bad' || kind === 'good'))
}

function isPast(key: string): boolean {
  return /^(?:old|prev|previous|last|former|prior)/i.test(key)
}

/** The names of stages, jobs and steps that failed. */
function failedParts(all: readonly Named[]): readonly string[] {
  const bad = new Set(
    all
      .filter(({ name, text }) => STATE.test(name) && readState(text)?.kind === 'bad')
      .map(({ field }) => parentOf(field)),
  )
  return all
    .filter(({ name, field, text }) => PART.test(name) && bad.has(parentOf(field)) && isName(text))
    .map(({ text }) => text)
}

function parentOf({ keys }: ListedField): string {
  return keys.slice(0, -1).join('.')
}

/** The first lines of an error. A single word such as `script_failure` is one, too. */
function errorOf({ value }: ListedField): string {
  return cleanLine(/^[\w.-]{4,60}$/.test(value) ? value.replaceAll('_', ' ') : value)
}

function joinNames(project: string, program: string): string {
  if (program === '' || mentions(project, program)) return project
  return mentions(program, project) ? program : `${project}: ${program}`
}
