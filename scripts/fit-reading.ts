/*
 * Fits the weights with which Roost guesses what the fields of an unknown alert say, on the bodies of
 * `test/kit/payloads`, and measures the guess: each body is read without the files of its sender and with
 * weights that were fitted without its sender. `--write` stores the weights of the whole corpus in
 * `src/domain/alert/guess/role-weights.ts`. `--show` prints each body that is not kept.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIELD_ROLES, type FieldRole } from '#contracts/alert-reading.ts'
import { probabilityOf, type Weights } from '#domain/alert/guess/assign-roles.ts'
import { featuresOf } from '#domain/alert/guess/role-features.ts'
import { ROLE_WEIGHTS } from '#domain/alert/guess/role-weights.ts'
import { listFields } from '#domain/alert/read/list-fields.ts'
import { readPayload } from '#domain/alert/read/read-payload.ts'
import { bodiesToMatch, bodyOf, readAlert } from '#domain/alert/read-alert.ts'
import { renderAlert } from '#domain/alert/render-alert.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { SENDERS } from '#domain/alert/senders.ts'
import { cleanLine, mentions, wordsOf } from '#domain/alert/text/clean-text.ts'
import { alertStateOf, readState } from '#domain/alert/vocabulary/states.ts'
import { weightLines } from '#scripts/weights-source.ts'
import { type AlertCase, readAlertCases, requestOf } from '#test/kit/alert-payloads.ts'

const TARGET = join(import.meta.dirname, '../src/domain/alert/guess/role-weights.ts')
/** A feature of fewer senders than this says more about the senders than about fields. */
const SENDERS_MIN = 3
/** The senders are left out in as many groups, because each group needs weights of its own. */
const FOLDS = 8
const ROUNDS = 16
const RATE = 0.3
const DECAY = 0.01
const WEIGHT_MIN = 0.4

const HEAD = `import type { FieldRole } from '#contracts/alert-reading.ts'

/*
 * How much each feature of a field (\`featuresOf\`) speaks for each role, fitted by
 * \`scripts/fit-reading.ts\`.
 * Do not edit it by hand.
 */
type Table = Record<FieldRole, ReadonlyMap<string, number>>

function tableOf(lists: Readonly<Record<FieldRole, string>>): Table {
  const read = (list: string) =>
    new Map(list.trim().split(/\\s+/).map(pair => {
      const at = pair.lastIndexOf('=')
      return [pair.slice(0, at), Number(pair.slice(at + 1))] as const
    }))
  const { thing, state, reason, severity } = lists
  return { thing: read(thing), state: read(state), reason: read(reason), severity: read(severity) }
}

export const ROLE_WEIGHTS = tableOf({
`

interface Row {
  readonly sender: string
  readonly features: readonly string[]
  readonly roles: ReadonlySet<FieldRole>
}

interface Known {
  readonly file: string
  readonly one: AlertCase
  readonly senders: readonly Sender[]
  /** Bodies with the same name of a sender are left out together. */
  readonly sender: string
}

const order = SENDERS as Sender[]
const all = [...order]
const cases: readonly Known[] = [...readAlertCases()].flatMap(([file, list]) =>
  list.map(one => {
    const bodies = bodiesToMatch(bodyOf(readPayload(requestOf(one))))
    const senders = all.filter(sender => bodies.some(body => sender.matches(body)))
    return { file, one, senders, sender: nameOf(one, senders) }
  }),
)

function nameOf({ name }: AlertCase, [first]: readonly Sender[]): string {
  const at = first === undefined ? -1 : all.indexOf(first)
  return at >= 0 ? `#${at}` : (/^[\p{L}\d.-]+/u.exec(name)?.[0] ?? name).toLowerCase()
}

function rowsOf({ one, sender }: Known): readonly Row[] {
  const body = bodyOf(readPayload(requestOf(one)))
  const { report } = readAlert(body)
  const subject = report?.subject ?? ''
  const reason = [report?.reason ?? ''].flat().join(' ')
  return listFields(body.value).map(field => {
    const value = cleanLine(field.value)
    const roles = new Set<FieldRole>()
    const state = readState(field.value.trim())
    const isWord = /\p{L}/u.test(value)
    const isRank = /severity|priority|level|urgency|impact/i.test(field.keys.at(-1) ?? '')
    if (
      isWord &&
      state === null &&
      (sameText(subject, value) || (value.length >= 3 && mentions(subject, value)))
    ) {
      roles.add('thing')
    } else if (isWord && state === null && value.length > 3 && isPart(reason, value)) roles.add('reason')
    if (
      state !== null &&
      !isRank &&
      report?.state != null &&
      alertStateOf(state) === alertStateOf(report.state)
    ) {
      roles.add('state')
    }
    if (state !== null && isRank) roles.add('severity')
    return { sender, features: featuresOf(field), roles }
  })
}

function sameText(one: string, other: string): boolean {
  return one !== '' && wordsOf(one) === wordsOf(other)
}

function isPart(text: string, part: string): boolean {
  const words = wordsOf(part).trim().split(' ')
  return (
    mentions(text, part) ||
    (words.length > 3 && words.filter(word => mentions(text, word)).length > words.length * 0.7)
  )
}

function fit(rows: readonly Row[]): Weights {
  const senders = new Map<string, Set<string>>()
  for (const { features, sender } of rows) {
    for (const feature of features) senders.set(feature, (senders.get(feature) ?? new Set()).add(sender))
  }
  const usable = rows.map(row => ({
    roles: row.roles,
    features: row.features.filter(feature => (senders.get(feature)?.size ?? 0) >= SENDERS_MIN),
  }))
  return Object.fromEntries(FIELD_ROLES.map(role => [role, fitRole(usable, role)])) as Record<
    FieldRole,
    Map<string, number>
  >
}

/** Logistic regression by gradient descent, in the order of the corpus, so that it always gives the same. */
function fitRole(rows: readonly Pick<Row, 'features' | 'roles'>[], role: FieldRole): Map<string, number> {
  const weights = new Map<string, number>([['base', -2]])
  for (let round = 0; round < ROUNDS; round += 1) {
    const rate = RATE / (1 + round / 4)
    for (const { features, roles } of rows) {
      const miss = (roles.has(role) ? 1 : 0) - probabilityOf(features, weights)
      if (Math.abs(miss) < 0.01) continue
      for (const feature of ['base', ...features]) {
        const weight = weights.get(feature) ?? 0
        weights.set(feature, weight + rate * (miss - DECAY * weight))
      }
    }
  }
  return new Map([...weights].filter(([name, weight]) => name === 'base' || Math.abs(weight) >= WEIGHT_MIN))
}

function withWeights<T>(weights: Weights, work: () => T): T {
  const table = ROLE_WEIGHTS as Record<FieldRole, ReadonlyMap<string, number>>
  const before = { ...table }
  Object.assign(table, weights)
  try {
    return work()
  } finally {
    Object.assign(table, before)
  }
}

function withoutSenders<T>(senders: readonly Sender[], work: () => T): T {
  order.splice(0, order.length, ...all.filter(sender => !senders.includes(sender)))
  try {
    return work()
  } finally {
    order.splice(0, order.length, ...all)
  }
}

type Grade = 'kept' | 'usable' | 'wrong'

function tokensOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.%][\p{L}\p{N}]+)*%?/gu) ?? [])
}

/** Kept: the same kind of state, and most words of the wanted text without as many others. */
function gradeOf({ one, senders }: Known): { grade: Grade; text: string } {
  const wanted = renderAlert(requestOf(one), null)
  const got = withoutSenders(senders, () => renderAlert(requestOf(one), null))
  const [expected, found] = [tokensOf(wanted.message), tokensOf(got.message)]
  const hits = [...expected].filter(word => found.has(word)).length
  const recall = hits / Math.max(1, expected.size)
  const precision = hits / Math.max(1, found.size)
  const sides = [wanted.state, got.state].map(state =>
    state === 'recovered' || state === 'firing' ? state : null,
  )
  const isContrary = sides[0] !== null && sides[1] !== null && sides[0] !== sides[1]
  const grade =
    isContrary || recall < 0.3
      ? 'wrong'
      : recall >= 0.7 && precision >= 0.5 && sides[0] === sides[1]
        ? 'kept'
        : 'usable'
  return { grade, text: got.message }
}

const rows = cases.flatMap(rowsOf)
if (process.argv.includes('--write')) writeFileSync(TARGET, sourceOf(fit(rows)))
else measure()

function measure(): void {
  const counts = new Map<string, Record<Grade, number>>()
  const known = cases.filter(({ senders }) => senders.length > 0)
  const senders = [...new Set(known.map(one => one.sender))]
  for (const fold of Array.from({ length: FOLDS }, (_, index) => index)) {
    const left = new Set(senders.filter((_, index) => index % FOLDS === fold))
    const weights = fit(rows.filter(row => !left.has(row.sender)))
    for (const one of known.filter(other => left.has(other.sender))) {
      const { grade, text } = withWeights(weights, () => gradeOf(one))
      for (const family of [one.file, 'all']) {
        const count = counts.get(family) ?? { kept: 0, usable: 0, wrong: 0 }
        count[grade] += 1
        counts.set(family, count)
      }
      if (grade !== 'kept' && process.argv.includes('--show')) {
        console.log(`${grade} ${one.one.name}\n   wanted ${one.one.text}\n   got    ${text}`)
      }
    }
  }
  for (const [family, { kept, usable, wrong }] of counts) {
    const total = kept + usable + wrong
    const share = (part: number) => `${Math.round((100 * part) / total)} %`.padStart(6)
    console.log(
      `${family.padEnd(24)} ${String(total).padStart(4)}  kept ${share(kept)}  wrong ${share(wrong)}`,
    )
  }
}

function sourceOf(weights: Weights): string {
  const lists = FIELD_ROLES.map(role => {
    return `  ${role}: \`\n    ${weightLines(weights[role])}\n  \`,\n`
  })
  return `${HEAD}${lists.join('')}})\n`
}
