import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { joinWords, withPlace } from '#domain/alert/text/join-words.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'
import { wordTable } from '#domain/alert/vocabulary/word-table.ts'

/** States with words that only Netlify uses. */
const NETLIFY_STATES = wordTable<State>({
  ready: { word: 'OK', kind: 'good' },
  building: { word: 'STARTED', kind: 'other' },
})

/** Netlify: a deploy of a site, with the branch and the title of its commit. */
export const netlify: Sender = {
  format: 'generic',
  matches: body => body.has('site_id') && body.has('state') && body.has('branch') && body.raw('name') !== '',
  state: [body => NETLIFY_STATES[body.raw('state')] ?? null, 'state'],
  subject: ['name'],
  reason: ['error_message', () => 'deploy'],
  extras: ['branch', 'title'],
}

/** Vercel: what happened to a deployment of which project, its target and its branch. */
export const vercel: Sender = {
  format: 'generic',
  matches: body => /^deployment[.-]/.test(body.raw('type')) && body.raw('payload.deployment.name') !== '',
  state: ['type'],
  subject: ['payload.deployment.name'],
  reason: [describeDeployment],
  extras: [branchOf],
}

/** `deployment to production`, or `deployment promoted` if the event is not a state. */
function describeDeployment(body: Body): string {
  const event = body.line('type').replace(/[.-]/g, ' ')
  const name = readState(body.raw('type')) === null ? event : 'deployment'
  return joinWords(name, withPlace('to', body.line('payload.target')))
}

/** The branch, whose field is named after the code host: `githubCommitRef`. */
function branchOf(body: Body): string {
  return body.line(
    ...['github', 'gitlab', 'bitbucket'].map(host => `payload.deployment.meta.${host}CommitRef`),
  )
}

/** Coolify: the backup of which database went well or failed. */
export const coolifyBackup: Sender = {
  format: 'generic',
  matches: body => typeof body.at('success') === 'boolean' && body.has('database_uuid'),
  state: [body => readState(body.at('success') === true ? 'ok' : 'failed')],
  subject: ['database_name'],
  reason: [body => [body.line('message'), body.line('error_output')].filter(text => text !== '')],
}
