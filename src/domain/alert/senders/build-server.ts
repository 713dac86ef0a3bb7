import type { Sender } from '#domain/alert/sender.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** Jenkins' notification plugin: a job with its build's number, phase and status. */
export const jenkins: Sender = {
  format: 'generic',
  matches: body => body.has('build.phase') && body.has('build.number') && body.raw('name') !== '',
  state: ['build.status', body => readState(body.raw('build.phase'))],
  subject: [body => `${body.line('display_name', 'name')} #${body.raw('build.number')}`],
  reason: [],
  extras: [body => body.line('build.scm.branch').replace(/^origin\//, '')],
}
