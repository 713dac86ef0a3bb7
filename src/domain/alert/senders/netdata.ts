import type { Sender } from '#domain/alert/sender.ts'
import { readSpan } from '#domain/alert/text/time-span.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'
import { wordTable } from '#domain/alert/vocabulary/word-table.ts'

const STATES = wordTable({
  'is critical': 'critical',
  'needs attention': 'warning',
  recovered: 'clear',
})
const SUBJECT = /^(?:Subject: )?(\S+) (is critical|needs attention|recovered) - ([^\n]+?) - \S+$/m

/** A mail from a Netdata agent: the host, the name of the alarm, and the value. */
export const netdataMail: Sender = {
  format: 'generic',
  matches: body => SUBJECT.test(body.text),
  state: [body => readState(STATES[SUBJECT.exec(body.text)?.[2] ?? ''] ?? '')],
  subject: [body => `${body.match(SUBJECT)} ${SUBJECT.exec(body.text)?.[3] ?? ''}`],
  reason: [
    body => {
      const value = body.match(/^[^\n:=]{2,60} = ([^\n]+)$/m)
      const info = body.match(/^[^\n:=]{2,60} = [^\n]+\n+([^\n:]+)$/m)
      return [value, info]
    },
  ],
}

const CHART_SUBJECT =
  /^(?:Subject: )?(\S+) (is critical|needs attention|recovered), (\S+) - ([^\n=]+) = ([^\n]+)$/m

/** A mail from an older Netdata agent: the host, the chart, and the value. */
export const netdataChartMail: Sender = {
  format: 'generic',
  matches: body => CHART_SUBJECT.test(body.text),
  state: [body => readState(STATES[CHART_SUBJECT.exec(body.text)?.[2] ?? ''] ?? '')],
  subject: [body => `${body.match(CHART_SUBJECT)} ${CHART_SUBJECT.exec(body.text)?.[3] ?? ''}`],
  reason: [body => CHART_SUBJECT.exec(body.text)?.slice(4).join(' ') ?? ''],
  lasted: body => readSpan(body.match(/\bwas raised for ([^\n]+)/)),
}

/** Netdata Cloud: a node is reachable again. That it is not is told by `uptimeMonitor`. */
export const netdataReach: Sender = {
  format: 'uptime-monitor',
  matches: body => body.raw('status.text') === 'reachable' && body.raw('host') !== '',
  state: [() => readState('up')],
  subject: ['host'],
  reason: [],
}
