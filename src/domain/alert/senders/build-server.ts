import type { Sender } from '#domain/alert/sender.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'
import { wordTable } from '#domain/alert/vocabulary/word-table.ts'

/** Results with words that only Jenkins uses. */
const RESULTS = wordTable<State>({
  UNSTABLE: { word: 'UNSTABLE', kind: 'bad', severity: 'warning' },
  ABORTED: { word: 'ABORTED', kind: 'other' },
})

/** Jenkins' notification plugin: a job with the number, phase and status of its build. */
export const jenkins: Sender = {
  format: 'generic',
  matches: body => body.has('build.phase') && body.has('build.number') && body.raw('name') !== '',
  state: [
    body => RESULTS[body.raw('build.status')] ?? null,
    'build.status',
    body => readState(body.raw('build.phase')),
  ],
  subject: [body => `${body.line('display_name', 'name')} #${body.raw('build.number')}`],
  reason: [],
  extras: [body => body.line('build.scm.branch').replace(/^origin\//, '')],
}

/** Azure DevOps: the build of a pipeline, described in `message`. */
export const azurePipeline: Sender = {
  format: 'generic',
  matches: body => body.has('message.text') && body.raw('resource.definition.name') !== '',
  state: ['resource.result', 'resource.status'],
  subject: ['resource.definition.name'],
  reason: ['message.text'],
}
