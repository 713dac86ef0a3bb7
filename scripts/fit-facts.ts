/*
 * Fits the weights by which Roost ranks what a body says (`src/domain/alert/facts`), on the texts that people
 * want for the bodies of `test/kit/payloads`: a fact is told if most of its words stand in the wanted text,
 * and it is the thing if they stand before the colon.
 * Prints how many bodies have a text with the wanted words, each text being made by weights that were fitted
 * without its sender. `--write` stores the weights of the whole corpus. `--texts` writes the texts that Roost
 * makes today to `test/kit/alert-texts.jsonl`, which the tests compare. `--why NAME` prints the facts of a
 * body.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { factFeatures } from '#domain/alert/facts/fact-features.ts'
import { type Fact, listFacts } from '#domain/alert/facts/list-facts.ts'
import { FACT_WEIGHTS, rankFacts } from '#domain/alert/facts/rank-facts.ts'
import { probabilityOf } from '#domain/alert/guess/assign-roles.ts'
import { type ListedField, listFields } from '#domain/alert/read/list-fields.ts'
import { readPayload } from '#domain/alert/read/read-payload.ts'
import { bodiesToMatch, bodyOf } from '#domain/alert/read-alert.ts'
import { renderAlert } from '#domain/alert/render-alert.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { SENDERS } from '#domain/alert/senders.ts'
import { weightLines } from '#scripts/weights-source.ts'
import { type AlertCase, readAlertCases, requestOf } from '#test/kit/alert-payloads.ts'
import { wordsMissing } from '#test/kit/wanted-words.ts'

const FOLDER = join(import.meta.dirname, '../src/domain/alert/facts')
const TEXTS = join(import.meta.dirname, '../test/kit/alert-texts.jsonl')
/** A feature of fewer senders than this says more about the senders than about facts. */
const SENDERS_MIN = 4
const FOLDS = 4
const ROUNDS = 10
const RATE = 0.15
const DECAY = 2e-4
const WEIGHT_MIN = 0.4
/** A fact is told if so many of its words are. */
const TOLD_SHARE = 0.6
/** A text that lacks no more of the wanted words is kept. */
const MISSING_MAX = 0.3
const HEAD_LENGTH_MAX = 50
const MODELS = ['told', 'thing'] as const
type Model = (typeof MODELS)[number]
const MEANINGS: Record<Model, string> = { told: 'worth telling', thing: 'the thing of the alert' }

interface Row {
  readonly sender: string
  readonly features: readonly string[]
  readonly labels: Readonly<Record<Model, number>>
}

const order = SENDERS as Sender[]
const all = [...order]
const cases = [...readAlertCases().entries()].flatMap(([file, list]) => list.map(one => ({ file, one })))

function fieldsOf(one: AlertCase): readonly ListedField[] {
  const { value, headers, mail = {} } = readPayload(requestOf(one))
  return [...listFields(mail), ...listFields(bodyOf({ value, headers }).value)].slice(0, 200)
}

function sendersOf(one: AlertCase): readonly Sender[] {
  const bodies = bodiesToMatch(bodyOf(readPayload(requestOf(one))))
  return all.filter(sender => bodies.some(body => sender.matches(body)))
}

function nameOf({ name = '' }: Partial<AlertCase> = {}): string {
  return (/^[\p{L}\d.-]+/u.exec(name)?.[0] ?? name).toLowerCase()
}

function rowsOf(one: AlertCase): readonly Row[] {
  const facts = listFacts(fieldsOf(one))
  const wanted = one.ideal
  const bare = wanted.replace(/^[A-Z][A-Z\d]+(?: [A-Z]{2,})?\s+(?=\S)/, '')
  const end = /:\s| - /.exec(bare)?.index ?? HEAD_LENGTH_MAX
  return factFeatures(facts).map((features, at) => ({
    sender: nameOf(one),
    features,
    labels: { told: isIn(facts[at], wanted), thing: isIn(facts[at], bare.slice(0, end)) },
  }))
}

function isIn(fact: Fact | undefined, text: string): number {
  return wordsMissing(fact?.value ?? '', text) <= 1 - TOLD_SHARE ? 1 : 0
}

/** Logistic regression by gradient descent with a rate for each weight, always in the same order. */
function fit(rows: readonly Row[], model: Model): ReadonlyMap<string, number> {
  const senders = new Map<string, Set<string>>()
  for (const { features, sender } of rows)
    for (const feature of features) senders.set(feature, (senders.get(feature) ?? new Set()).add(sender))
  const weights = new Map<string, number>()
  const squares = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { features, labels } of rows) {
      const used = features.filter(feature => (senders.get(feature)?.size ?? 0) >= SENDERS_MIN)
      const miss = probabilityOf(used, weights) - labels[model]
      if (Math.abs(miss) < 0.01) continue
      for (const feature of ['base', ...used]) {
        const weight = weights.get(feature) ?? 0
        const slope = miss + DECAY * weight
        const square = (squares.get(feature) ?? 0.01) + slope * slope
        squares.set(feature, square)
        weights.set(feature, weight - (RATE * slope) / Math.sqrt(square))
      }
    }
  }
  return new Map([...weights].filter(([, weight]) => Math.abs(weight) >= WEIGHT_MIN))
}

function measure(): void {
  const rows = cases.map(({ one }) => rowsOf(one))
  const table = FACT_WEIGHTS as Record<Model, ReadonlyMap<string, number>>
  const before = { ...table }
  const names = [...new Set(cases.map(({ one }) => nameOf(one)))]
  let kept = 0
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const left = new Set(names.filter((_, at) => at % FOLDS === fold))
    const others = rows.filter((_, at) => !left.has(nameOf(cases[at]?.one))).flat()
    for (const model of MODELS) table[model] = fit(others, model)
    for (const { one } of cases.filter(({ one }) => left.has(nameOf(one)))) {
      const senders = sendersOf(one)
      order.splice(0, order.length, ...all.filter(sender => !senders.includes(sender)))
      const { message } = renderAlert(requestOf(one), null)
      if (wordsMissing(one.ideal, message) <= MISSING_MAX) kept += 1
      else if (process.argv.includes('--show')) console.log(`${one.name}\n   ${one.text}\n   ${message}`)
    }
    order.splice(0, order.length, ...all)
  }
  Object.assign(table, before)
  console.log(`kept without their senders: ${kept} of ${cases.length}`)
}

function write(): void {
  const rows = cases.flatMap(({ one }) => rowsOf(one))
  for (const model of MODELS) {
    const source = `/*
 * How much each feature of a fact (\`factFeatures\`) says that it is ${MEANINGS[model]}. Fitted by
 * \`scripts/fit-facts.ts\`: do not edit it by hand.
 */
export const ${model.toUpperCase()}_WEIGHTS = \`
  ${weightLines(fit(rows, model)).replaceAll('\n    ', '\n  ')}
\`
`
    writeFileSync(join(FOLDER, `${model}-weights.ts`), source)
  }
}

const named = process.argv[process.argv.indexOf('--why') + 1]
if (process.argv.includes('--write')) write()
else if (process.argv.includes('--texts')) {
  const lines = cases.map(({ file, one }) =>
    JSON.stringify([file, one.name, renderAlert(requestOf(one), null).message]),
  )
  writeFileSync(TEXTS, `${lines.join('\n')}\n`)
} else if (process.argv.includes('--why')) {
  for (const { one } of cases.filter(({ one: { name } }) => name === named))
    for (const { told, thing, kind, name, value } of rankFacts(fieldsOf(one)))
      console.log(told.toFixed(2), thing.toFixed(2), kind, name.join(' '), '=', value.slice(0, 90))
} else measure()
