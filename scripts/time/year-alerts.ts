/** People, rotas, quiet hours and silence in a year of life, with the changes of clocks in two zones. */
import { localMs, type Zone } from '#scripts/time/local-zones.ts'
import { DAY, END_MS, HOUR, MINUTE, OFF, START_MS, type Year } from '#scripts/time/year.ts'

export const ZONES = { Berlin: 'Europe/Berlin', NewYork: 'America/New_York' } as const

export type People = Readonly<Record<'ada' | 'bea' | 'cem', string>>

/** One rota changes hands on Mondays in Berlin, one each day in New York. */
export async function planRotas(year: Year, { ada, bea, cem }: People): Promise<void> {
  const zones: readonly [Zone, string[], number][] = [
    ['Berlin', [ada, cem], 7],
    ['NewYork', [bea, cem, ada], 1],
  ]
  for (const [zone, people, days] of zones) {
    const fields = { name: zone, people, days, handover: 'mon 09:00', timeZone: ZONES[zone] }
    const id = await year.make('/rotas', fields)
    const handovers = [-7, -6, -5, -4, -3, -2, -1, ...Array.from({ length: 380 }, (_, day) => day)]
      .map(day => Math.floor(START_MS / DAY) * DAY + day * DAY)
      .filter(day => days === 1 || new Date(day).getUTCDay() === 1)
      .map(day => localMs(zone, day, '09:00'))
    const first = handovers.findLastIndex(at => at <= START_MS)
    for (const [index, at] of handovers.entries()) {
      for (const turn of at > START_MS ? [index - 1, index] : []) {
        year.at(at + (turn === index ? MINUTE : -MINUTE), async () => {
          const { data } = await year.timed.gateway.api('GET', `/rotas/${id}`)
          const rota = data as { onCall: string; until: string }
          const isRight = rota.onCall === people[(turn - first) % people.length]
          await year.check(() => isRight, `the rota of ${zone} has the right person`)
          await year.check(
            () => Date.parse(rota.until) === handovers[turn + 1],
            `and the right end (${zone})`,
          )
        })
      }
    }
  }
}

/** A mild alert at eleven at night is told at seven in the morning, a critical one at once. */
export async function planNights(year: Year, { ada, bea }: People): Promise<void> {
  for (const [zone, person] of [
    ['Berlin', ada],
    ['NewYork', bea],
  ] as const) {
    const steps = [{ afterMinutes: 0, tell: [person] }]
    const policyId = await year.make('/policies', { name: zone, steps, rounds: 1 })
    const post = await year.timed.webhook({ name: zone, recipients: [], policyId })
    for (const day of year.days()) {
      const thing = `${zone}${day / DAY}`
      const morning = localMs(zone, day + DAY, '07:00')
      let incidents: (string | undefined)[] = []
      const alert = async (host: string, severity: string) => {
        const body = { status: 'firing', title: `${host} is full`, host, severity, id: host }
        incidents.push((await post(body)).incidentId)
      }
      year.at(localMs(zone, day, '23:00'), async () => {
        incidents = []
        await alert(`mild${thing}`, 'warning')
        await alert(`bad${thing}`, 'critical')
      })
      const told = (what: string) => () => year.told(`${what}${thing}`) === 1
      year.at(localMs(zone, day, '23:00') + MINUTE, () =>
        year.check(told('bad'), `a critical alert is told in quiet hours (${zone})`),
      )
      year.at(morning - MINUTE, () => year.check(() => !told('mild')(), `quiet hours hold (${zone})`))
      year.at(morning + 2 * MINUTE, async () => {
        if (incidents.length === 0) return
        await year.check(told('mild'), `quiet hours end at seven (${zone})`)
        for (const id of incidents) await year.timed.owner('POST', `/incidents/${id}/close`)
        incidents = []
      })
    }
  }
}

/** A sender reports each morning. Each fortieth day it does not. */
export async function planSilence(year: Year): Promise<void> {
  const post = await year.timed.webhook({
    name: 'Nightly',
    recipients: ['+14155550110'],
    silentAfterMinutes: 26 * 60,
  })
  let wanted = 0
  const isRight = () => year.told('SILENT Nightly') === wanted
  for (const [index, day] of year.days().entries()) {
    if (index % 40 !== 20) {
      year.at(day + 6 * HOUR, () => post({ title: `backup ${index} done`, status: 'info' }))
      continue
    }
    year.at(day + 8 * HOUR - 2 * MINUTE, () => year.check(isRight, 'SILENT comes not before its time'))
    // A restart on the day before is time off.
    year.at(day + 8 * HOUR + 5 * MINUTE, () => {
      wanted++
      return year.check(isRight, 'SILENT comes in its time')
    })
    year.at(day + DAY + 7 * HOUR, () =>
      year.check(() => year.told('OK Nightly') === wanted, 'its end is told'),
    )
  }
  for (const { to } of OFF) year.at(to + HOUR, () => year.check(isRight, 'the time off is no silence'))
  year.at(END_MS - 5 * HOUR, () => year.check(isRight, 'SILENT came at no other time'))
}
