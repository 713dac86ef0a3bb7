import { renderAlert } from '#domain/alert/render-alert.ts'

/**
 * Alerts of several kinds. An expression is compiled when it is first used, once for text in Latin-1 and once
 * for any other.
 */
const ALERTS: readonly { readonly contentType: string; readonly body: string }[] = [
  {
    contentType: 'application/json',
    body: JSON.stringify({
      heartbeat: { status: 0, msg: 'connect ECONNREFUSED 192.168.1.5:443', time: '2026-01-31 12:00:00' },
      monitor: { name: 'NAS', url: 'https://nas.lan', type: 'http', interval: 60 },
      msg: '[NAS] [🔴 Down] connect ECONNREFUSED 192.168.1.5:443',
    }),
  },
  {
    contentType: 'application/json',
    body: JSON.stringify({
      receiver: 'sms',
      status: 'firing',
      commonLabels: { alertname: 'DiskFull', severity: 'critical' },
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'DiskFull', instance: 'web1:9100', severity: 'critical' },
          annotations: { summary: 'Disk /var is 97 % full', description: 'Less than 2 GB are left.' },
          startsAt: '2026-01-31T12:00:00Z',
          endsAt: '0001-01-01T00:00:00Z',
        },
      ],
      version: '4',
    }),
  },
  {
    contentType: 'message/rfc822',
    body:
      'From: root@nas.lan\nTo: admin@example.com\nSubject: DegradedArray event on /dev/md0: nas\n' +
      'Content-Type: text/plain; charset=utf-8\n\nThis is an automatically generated mail message.\n\n' +
      'A DegradedArray event had been detected on md device /dev/md0.\n' +
      'State: degraded, 1 of 2 disks failed\n' +
      'Time: Sat, 31 Jan 2026 12:00:00 +0100\n\nFaithfully yours, etc.\n',
  },
  {
    contentType: 'application/x-www-form-urlencoded',
    body: 'title=Backup+failed&message=Job+%E2%80%9Cnightly%E2%80%9D+on+nas%3A+no+space+left&priority=8',
  },
  {
    contentType: 'application/json',
    body: JSON.stringify({
      text: '*Problem:* :fire: High CPU load on <https://mon.lan/h/1|db1>\nValue: 9.4 – warning since 10 min',
      attachments: [{ color: 'danger', fields: [{ title: 'Host', value: 'db1', short: true }] }],
    }),
  },
  {
    contentType: 'application/json',
    body: JSON.stringify({
      event: 'device_status_change',
      device: { id: 'a1b2', name: 'Freezer', type: 'sensor', battery: 81 },
      data: { temperature: -2.5, limit: -15, unit: '°C', previous: { state: 'ok' }, state: 'alarm' },
      timestamp: 1769857200,
    }),
  },
  { contentType: 'text/plain', body: 'WARNING: Keller: Wasser erkannt, bitte prüfen → Pumpe 2 läuft nicht' },
  { contentType: 'text/plain', body: 'RESOLVED web1 is reachable again after 5 minutes (12:00 UTC)' },
]

/** Renders some alerts, so that a thread renders its first ones as fast as all others. */
export function warmUp(): void {
  for (const { contentType, body } of ALERTS) {
    const bytes = new TextEncoder().encode(body)
    renderAlert({ method: 'POST', query: '', contentType, headers: {}, body: bytes }, null)
  }
}
