import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { linesOf } from '#domain/alert/text/clean-text.ts'
import { faultLines } from '#domain/alert/text/fault-line.ts'
import { stateInSentence } from '#domain/alert/text/headline.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

const CRON = /^(?:Subject: )?Cron <([^@>\s]+)@([^>\s]+)> ([^\n]+)$/m
const ANACRON = /^(?:Subject: )?Anacron job '([^'\n]+)' on (\S+)$/m
/** Programs that only run another program. */
const RUNNERS = new RegExp(
  '^(?:python[\\d.]*|php[\\d.]*|bash|sh|perl|ruby|node|env|nice|ionice|flock|timeout|chronic|sudo' +
    '|run-parts)$',
)
/** Variables that are set for a command: `PATH="$PATH:/usr/sbin" LANG=C `. */
const SETTINGS = /^(?:\w+=(?:"[^"]*"|'[^']*'|\S*)\s+)+/
const LINES_SHOWN = 3

/** A mail from cron or anacron with the output of a job: the program, and the lines with an error. */
export const cronMail: Sender = {
  format: 'generic',
  matches: body => CRON.test(body.text) || ANACRON.test(body.text),
  state: [body => faultOf(body)],
  subject: [
    body => {
      const [, , host = '', command = ''] = CRON.exec(body.text) ?? []
      const [, job = '', machine = ''] = ANACRON.exec(body.text) ?? []
      return `cron ${job || programOf(command)} on ${host || machine}`
    },
  ],
  reason: [outputOf],
}

function outputOf(body: Body): readonly string[] {
  const lines = linesOf(body.text.replace(CRON, '').replace(ANACRON, ''))
  const faults = faultLines(lines)
  return (faults.length > 0 ? faults : lines).slice(0, LINES_SHOWN)
}

function faultOf(body: Body): State | null {
  const state = outputOf(body)
    .map(stateInSentence)
    .find(found => found?.kind === 'bad')
  return state ?? (/\(failed\)$/m.test(CRON.exec(body.text)?.[0] ?? '') ? readState('failed') : null)
}

/** The program that a command runs: `backup.sh` for `cd / && /usr/local/bin/backup.sh --all >/dev/null`. */
function programOf(command: string): string {
  const steps = command
    .replace(/\bflock (?:-\w+ )*\S+ /, '')
    .split(/&&|;|\|\|?/)
    .map(step => step.trim().replace(/^[({] */, ''))
  const step = steps.find(text => !/^(?:cd|test|\[|sleep|export)\b/.test(text)) ?? command
  const words = step
    .replace(SETTINGS, '')
    .split(/\s+/)
    .map(word => word.replace(/^.*\//, ''))
  return words.find(word => !RUNNERS.test(word) && !/^-|^\d+[smh]?$/.test(word)) ?? words[0] ?? ''
}
