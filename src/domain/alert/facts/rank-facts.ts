import { factFeatures } from '#domain/alert/facts/fact-features.ts'
import { type Fact, listFacts } from '#domain/alert/facts/list-facts.ts'
import { THING_WEIGHTS } from '#domain/alert/facts/thing-weights.ts'
import { TOLD_WEIGHTS } from '#domain/alert/facts/told-weights.ts'
import { probabilityOf } from '#domain/alert/guess/assign-roles.ts'
import type { ListedField } from '#domain/alert/read/list-fields.ts'

/** A fact, with how probable it is that a person wants it told, and that it is what the alert is about. */
export interface RankedFact extends Fact {
  readonly told: number
  readonly thing: number
}

export const FACT_WEIGHTS = { told: read(TOLD_WEIGHTS), thing: read(THING_WEIGHTS) }

export function rankFacts(fields: readonly ListedField[]): readonly RankedFact[] {
  const facts = listFacts(fields)
  const features = factFeatures(facts)
  return facts.map((fact, index) => ({
    ...fact,
    told: probabilityOf(features[index] ?? [], FACT_WEIGHTS.told),
    thing: probabilityOf(features[index] ?? [], FACT_WEIGHTS.thing),
  }))
}

function read(list: string): ReadonlyMap<string, number> {
  const pairs = list
    .trim()
    .split(/\s+/)
    .map((pair): [string, number] => {
      const at = pair.lastIndexOf('=')
      return [pair.slice(0, at), Number(pair.slice(at + 1))]
    })
  return new Map(pairs)
}
