import type { Sender } from '#domain/alert/sender.ts'

/** Synology's own webhook: `text`, with the machine and the time in `prefix`. */
export const synology: Sender = {
  format: 'generic',
  matches: body => body.has('text') && /^[^|]+\| ?\d{4}-/.test(body.raw('prefix')),
  state: ['severity', 'level'],
  subject: [body => body.line('prefix').split('|')[0]?.trim() ?? ''],
  reason: ['text'],
}
