import type { Sender } from '#domain/alert/sender.ts'

const JAIL = new RegExp(
  '^(?:Subject: )?\\[Fail2Ban\\] ([^\\s:]+): (banned|unbanned|started|stopped)' +
    '(?: (?!from |on )(\\S+))?(?: (?:from|on) (\\S+))?',
  'm',
)
const BANNED =
  /The IP (\S+) has just been (banned|unbanned) by Fail2Ban after\s+(\d+) attempts against ([^\s.]+)/

/** fail2ban: which address was banned from which service, and after how many attempts. */
export const fail2ban: Sender = {
  format: 'generic',
  matches: body => BANNED.test(body.text) || (JAIL.test(body.text) && body.text.includes('\n')),
  state: [() => null],
  severity: () => 'info',
  subject: [body => `Fail2Ban ${JAIL.exec(body.text)?.[1] ?? BANNED.exec(body.text)?.[4] ?? ''}`],
  reason: [
    body => {
      const [, , action = '', who = '', host = ''] = JAIL.exec(body.text) ?? []
      const [, address = '', done = '', tries = ''] = BANNED.exec(body.text) ?? []
      const count = tries === '' ? '' : `after ${tries} attempts`
      const place = host === '' ? '' : `on ${host}`
      return [done || action, address || who, place, count].filter(part => part !== '').join(' ')
    },
  ],
}

const DEVICE = /^[ *-]*Device(?: Type)?: ([^\n]+)/m
const ADDRESS = /^[ *-]*IP Address: ([^\n]+)/m

/** Bitwarden and Vaultwarden: a login from a new device, and its IP address. */
export const newDevice: Sender = {
  format: 'generic',
  matches: body => /\bfrom a new device\b/i.test(body.text) && ADDRESS.test(body.text),
  state: [() => null],
  severity: () => 'warning',
  subject: [body => body.title || `New login from ${body.match(DEVICE)}`],
  reason: [body => body.match(ADDRESS)],
}

/** Falco: the rule, and its output without the time and priority at the start. */
export const falco: Sender = {
  format: 'generic',
  matches: body => body.has('output_fields') && body.raw('rule') !== '' && body.raw('priority') !== '',
  state: ['priority'],
  subject: ['rule'],
  reason: [body => body.line('output').replace(/^(?:[\d:.]+: )?[A-Z][a-z]+ /, '')],
  extras: ['hostname'],
}

/** Wazuh: the rule that fired, and on which agent. Levels go from 0 to 15. */
export const wazuh: Sender = {
  format: 'generic',
  matches: body => body.has('rule.level') && body.has('rule.description') && body.has('agent.name'),
  state: [() => null],
  severity: body => {
    const level = Number(body.raw('rule.level'))
    if (level >= 12) return 'critical'
    return level >= 7 ? 'warning' : 'info'
  },
  subject: ['agent.name'],
  reason: ['rule.description'],
}
