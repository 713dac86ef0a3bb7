/** The one list of rules behind `GET /status`, `roost status`, metrics, alarms and the console. */
import { ACCOUNT_RULES } from '#domain/health/account-rules.ts'
import { CLUSTER_RULES } from '#domain/health/cluster-rules.ts'
import {
  type AccountFacts,
  type Finding,
  findingOf,
  type GatewayFacts,
  type Rule,
} from '#domain/health/facts.ts'
import { GATEWAY_RULES } from '#domain/health/gateway-rules.ts'
import { INCIDENT_RULES } from '#domain/health/incident-rules.ts'
import { PHONE_RULES } from '#domain/health/phone-rules.ts'

/** Problems of the gateway as a whole. */
export function findGatewayProblems(facts: GatewayFacts): Finding[] {
  return apply([...GATEWAY_RULES, ...CLUSTER_RULES], facts)
}

/** Problems of one account. */
export function findAccountProblems(facts: AccountFacts): Finding[] {
  return apply([...PHONE_RULES, ...ACCOUNT_RULES, ...INCIDENT_RULES], facts)
}

function apply<Facts>(rules: readonly Rule<Facts>[], facts: Facts): Finding[] {
  return rules.flatMap(rule => rule(facts)).map(findingOf)
}
