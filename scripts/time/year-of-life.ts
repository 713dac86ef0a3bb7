/**
 * A year of life with the real program: daily traffic, restarts, three and twenty days off, the changes of
 * clocks in two zones, 29 February. What is right is computed here, and not by the program's own code.
 */
import { readdirSync } from 'node:fs'
import { connect } from 'node:tls'
import { localMs, type Zone } from '#scripts/time/local-zones.ts'
import { TimedGateway } from '#scripts/time/timed-gateway.ts'
import type { Expect } from '#scripts/time/wrong-clocks.ts'
import { DAY, END_MS, HOUR, MINUTE, OFF, START_MS, Year } from '#scripts/time/year.ts'
import { planNights, planRotas, planSilence, ZONES } from '#scripts/time/year-alerts.ts'
import { freePort } from '#test/kit/free-ports.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const SMS_PER_DAY = 30
/**
 * Ten seconds of this clock are less than a thread needs to answer. The gateway asks again an hour later, and
 * that the new certificate is served in the end has a check of its own.
 */
const SHORT_ON_THIS_CLOCK = 'a listener did not apply the configuration in time'
/** How long planned texts live. */
const TTL_MS = 72 * HOUR

/** Copies are made at half past three. The last of seven days and of four weeks are kept. */
function planCopies(year: Year, folder: string): void {
  const seen = new Set<string>()
  for (const day of year.days()) {
    const due = localMs('Berlin', day, '03:30')
    year.at(due + 2 * MINUTE, async () => {
      const copies = () =>
        readdirSync(folder)
          .filter(name => name.endsWith('.backup'))
          .sort()
      const newest = () => timeOf(copies().at(-1) ?? '')
      await year.check(() => newest() >= due && newest() <= due + 2 * MINUTE, 'tonight’s copy is made')
      for (const name of copies()) seen.add(name)
      const kept = keptOf([...seen].sort().reverse()).join()
      await year.check(() => copies().join() === kept, `copies are kept for 7 days and 4 weeks`)
    })
  }
}

/** `roost-2028-01-10T023000Z.backup` */
function timeOf(name: string): number {
  return Date.parse(name.slice(6, 24).replace(/T(..)(..)(..)Z/, 'T$1:$2:$3Z'))
}

function keptOf(newestFirst: readonly string[]): readonly string[] {
  const lastOf = (span: (at: number) => number, count: number) => {
    const spans = [...new Set(newestFirst.map(name => span(timeOf(name))))].slice(0, count)
    return spans.map(wanted => newestFirst.find(name => span(timeOf(name)) === wanted) ?? '')
  }
  // 1969-12-29 was a Monday.
  const weekOf = (at: number) => Math.floor((at - Date.UTC(1969, 11, 29)) / (7 * DAY))
  return [...new Set([...lastOf(at => Math.floor(at / DAY), 7), ...lastOf(weekOf, 4)])].sort()
}

/** Texts planned for up to 89 days ahead, with three days to live. */
function planTexts(year: Year): void {
  for (const [index, day] of year.days(2).entries()) {
    const sendAt = day + 10 * HOUR + (1 + ((index * 37) % 89)) * DAY + ((index * 613) % 1440) * MINUTE
    const text = `planned for ${new Date(sendAt).toISOString()}`
    year.at(day + 10 * HOUR, async () => {
      const more = { sendAt: new Date(sendAt).toISOString(), ttl: TTL_MS / 1000, queueIfOffline: true }
      await year.timed.gateway.send(text, more)
      const off = OFF.find(({ from, to }) => sendAt > from && sendAt < to)
      year.at(sendAt - MINUTE, () => year.check(() => year.told(text) === 0, 'a planned text waits'))
      const wanted = Number(off === undefined || off.to < sendAt + TTL_MS)
      year.at((off?.to ?? sendAt) + 3 * MINUTE, () =>
        year.check(() => year.told(text) === wanted, `what is planned comes once: ${wanted} ${text}`),
      )
    })
  }
}

/** At the end of some days, all texts of the day are sent. */
function planQuotas(year: Year): void {
  for (const day of [...year.days(30), Date.UTC(2028, 1, 29), Date.UTC(2028, 11, 31)]) {
    const more = { queueIfOffline: true, phoneNumber: '+14155550120', message: 'one of many' }
    const send = () => year.timed.gateway.api('POST', '/sms/send', { body: more })
    year.at(day + DAY - 2 * MINUTE, async () => {
      let answer = await send()
      while (answer.status === 200) answer = await send()
      const { limit, used, resetAt } = answer.error?.details ?? {}
      const isRight = answer.status === 429 && limit === SMS_PER_DAY && used === SMS_PER_DAY
      await year.check(() => isRight, `the day’s texts are used up: ${JSON.stringify(answer.error)}`)
      await year.check(() => Date.parse(String(resetAt)) === day + DAY, 'there are more at midnight')
    })
    year.at(day + DAY + MINUTE / 2, async () => {
      const { status } = await send()
      await year.check(() => status === 200, 'after midnight there are more')
      type Usage = { usage: { smsToday: number; smsThisMonth: number } }
      const { usage } = (await year.timed.gateway.api('GET', '/account/usage')).data as Usage
      await year.check(() => usage.smsToday === 1, 'and one is used')
      const isFirst = new Date(day + DAY).getUTCDate() === 1
      await year.check(() => (usage.smsThisMonth === 1) === isFirst, 'a month begins with its first day')
    })
  }
}

/** The words of a text go after 30 days, its row after 60. */
function planRetention(year: Year): void {
  for (const [index, day] of year.days(10).entries()) {
    const at = day + 14 * HOUR
    year.at(at, async () => {
      const id = await year.timed.gateway.send(`kept ${index}`, { queueIfOffline: true })
      const read = () => year.timed.gateway.api('GET', `/sms/${id}`)
      const words = async () => ((await read()).data as { message: string | null }).message
      const check = (ms: number, isSo: () => Promise<boolean>, what: string) =>
        year.at(at + ms, () => year.check(isSo, what))
      check(30 * DAY - HOUR, async () => (await words()) === `kept ${index}`, 'a text is kept for 30 days')
      check(30 * DAY + 2 * HOUR, async () => (await words()) === null, 'its words are gone after 30 days')
      check(60 * DAY - HOUR, async () => (await read()).status === 200, 'its row is kept for 60 days')
      check(60 * DAY + 2 * HOUR, async () => (await read()).status === 404, 'its row is gone after 60 days')
    })
  }
}

/** The certificate is renewed long before its end, and served. */
async function planCertificate(year: Year): Promise<void> {
  const { timed } = year
  const port = await freePort()
  await timed.gateway.cli('certificate', 'create')
  timed.env['ROOST_HTTP__TLS_PORT'] = String(port)
  await timed.off(MINUTE)
  const seen = new Set<string>()
  for (const day of year.days(15)) {
    year.at(day + 15 * HOUR, async () => {
      const { fingerprint256, valid_from, valid_to } = await certificateAt(port)
      seen.add(fingerprint256)
      const [from, to] = [Date.parse(valid_from), Date.parse(valid_to)]
      const isLong = from <= timed.nowMs && to - timed.nowMs > 100 * DAY
      await year.check(() => isLong, `the certificate is valid for long`)
      await year.check(() => to - from <= 366 * DAY, 'it is valid for a year at most')
    })
  }
  year.at(END_MS - 1, () => year.check(() => seen.size === 2, `it was renewed once`))
}

function certificateAt(port: number) {
  return new Promise<ReturnType<ReturnType<typeof connect>['getPeerCertificate']>>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate())
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

/** Restarts, kills, and the times without power. The machine's clock is known to be right an hour later. */
function planRestarts(year: Year): void {
  const { timed } = year
  for (const [index, day] of year.days(13).entries())
    year.at(day + 17 * HOUR, () => timed.off(MINUTE, { signal: index % 2 === 0 ? 'SIGTERM' : 'SIGKILL' }))
  for (const { from, to } of OFF) {
    year.at(from, () => timed.off(to - timed.nowMs, { signal: 'SIGKILL' }))
    year.at(to + 30 * MINUTE, async () => {
      const isFar = to - from > 7 * DAY
      const words = await timed.wrongClocks()
      await year.check(() => words.length === Number(isFar), 'a clock a week ahead is a problem')
      timed.setSynchronised(true)
    })
    year.at(to + 40 * MINUTE, async () => {
      await year.check(async () => (await timed.wrongClocks()).length === 0, 'a clock that is right is none')
      timed.setSynchronised(false)
    })
  }
}

/** The list of problems is empty, but for what expired in twenty days, and the log has no errors. */
function planProblems(year: Year): void {
  for (const day of year.days()) {
    const at = day + 16 * HOUR
    const isAfter = OFF.some(({ from, to }) => to - from > TTL_MS && at > to && at < to + DAY)
    year.at(at, async () => {
      const codes = async () => (await year.timed.problems()).map(({ code }) => code).join()
      const wanted = isAfter ? 'PLANNED_EXPIRED' : ''
      await year.check(async () => (await codes()) === wanted, `problems: ${await codes()}`)
      const { text } = year.timed.gateway.program.stderr
      const errors = text
        .split('\n')
        .filter(line => line.includes('"level":"error"') && !line.includes(SHORT_ON_THIS_CLOCK))
      await year.check(() => errors.length === 0, `errors in the log: ${errors.join(' ')}`)
    })
  }
}

export async function proveYear(t: Cleaner, expect: Expect): Promise<void> {
  const folder = temporaryDirectory(t)
  const timed = await TimedGateway.start(t, START_MS, {
    env: {
      TZ: ZONES.Berlin,
      ROOST_BACKUP__DIR: folder,
      ROOST_MESSAGES__RETENTION_DAYS: '30',
      ROOST_MESSAGES__RECORDS_DAYS: '60',
      ROOST_PLANS__PRO__SMS_PER_DAY: String(SMS_PER_DAY),
    },
  })
  const year = new Year(timed, expect)
  await planCertificate(year)
  const person = (name: string, number: string, zone: Zone) => {
    const quiet = { from: '22:00', to: '07:00', below: 'critical' }
    return year.make('/people', { name, phoneNumber: number, timeZone: ZONES[zone], quiet })
  }
  const people = {
    ada: await person('Ada', '+14155550101', 'Berlin'),
    bea: await person('Bea', '+14155550102', 'NewYork'),
    cem: await person('Cem', '+14155550103', 'Berlin'),
  }
  await planRotas(year, people)
  await planNights(year, people)
  await planSilence(year)
  planCopies(year, folder)
  planTexts(year)
  planQuotas(year)
  planRetention(year)
  planRestarts(year)
  planProblems(year)
  await year.live()
  for (const [kind, count] of year.counts) await expect(() => true, `${count} times: ${kind}`)
}
