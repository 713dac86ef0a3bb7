import type * as v from 'valibot'
import {
  CreatePolicyRequest,
  PolicyResource,
  RemovedOnCall,
  UpdatePolicyRequest,
} from '#contracts/on-call.ts'
import { describePolicy } from '#domain/on-call/describe-on-call.ts'
import { findStepIssues } from '#domain/on-call/manage-policy.ts'
import type { OnCallRows } from '#domain/on-call/on-call-store.ts'
import { rightFields, Validation } from '#transport/http/body.ts'
import { POLICY_ID, ROTA_ID, TIME } from '#transport/http/openapi/example-values.ts'
import { referenceOf, withoutUndefined } from '#transport/http/read-change.ts'
import { changeWithTarget, checkTarget, withTarget } from '#transport/http/read-target.ts'
import { resourceRoutes } from '#transport/http/resource-routes.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type PolicyPorts = Pick<RoutePorts, 'writer' | 'onCall'>

const GIVEN = {
  name: 'Servers',
  steps: [
    { afterMinutes: 0, tell: [ROTA_ID], ring: false },
    { afterMinutes: 10, tell: [`${ROTA_ID}+1`], ring: true },
    { afterMinutes: 20, tell: ['everyone'], ring: true },
  ],
  rounds: 2,
  takenForMinutes: 240,
  deviceId: null,
  deviceGroupId: null,
}

/** The routes of policies, which say who is told of an incident, and when. */
export function policyRoutes({ writer, onCall }: PolicyPorts): Route[] {
  return resourceRoutes({
    path: '/api/v1/policies',
    tag: 'onCall',
    named: ['Policy', 'Policies'],
    word: 'policy',
    ofId: 'Id of the policy, from the list of policies.',
    byKey: true,
    words: {
      list: ['List policies', 'The oldest first; an account has at most 50.'],
      get: 'A policy',
      create: [
        'Make a policy',
        'Each step tells its people so many minutes after the first step of the round. 400 names a ' +
          'target that the account does not have, and `rot_…+1` of a rota with one person. 404: the ' +
          'account has no such phone or group of phones. 409: the account has 50 policies.',
      ],
      update: [
        'Change a policy',
        'Fields that are left out stay unchanged. Incidents that are open go on as they began. 400: as ' +
          'when a policy is made.',
      ],
      remove: ['Remove a policy', '409: a webhook names the policy; the message lists them.'],
    },
    schemas: {
      create: CreatePolicyRequest,
      update: UpdatePolicyRequest,
      item: PolicyResource,
      removed: RemovedOnCall,
    },
    example: [GIVEN, { ...GIVEN, id: POLICY_ID, createdAt: TIME }, { rounds: 3 }],
    problems: { create: [404], remove: [409] },
    rows: onCall.policy,
    show: describePolicy,
    create: call => {
      const fields = withTarget(readPolicy(onCall, CreatePolicyRequest, call))
      return writer.ask('policy.create', { accountId: call.principal.accountId, fields }, call.by)
    },
    update: call => {
      const read = readPolicy(onCall, UpdatePolicyRequest, call)
      const which = referenceOf(call)
      const { deviceId = null } = onCall.policy.find(which.accountId, which.id) ?? {}
      const change = changeWithTarget(withoutUndefined(read), deviceId)
      return writer.ask('policy.update', { ...which, change }, call.by)
    },
    remove: call => writer.ask('on-call.remove', { ...referenceOf(call), kind: 'policy' }, call.by),
  })
}

function readPolicy<T extends typeof CreatePolicyRequest | typeof UpdatePolicyRequest>(
  onCall: OnCallRows,
  schema: T,
  { principal, json }: AuthorizedCall,
): v.InferOutput<T> {
  const validation = new Validation()
  const parsed = validation.parse(schema, json)
  const { steps, ...right } = rightFields(UpdatePolicyRequest, json)
  checkTarget(validation, right)
  if (steps !== undefined) validation.addAll(findStepIssues(onCall, principal.accountId, steps))
  return validation.complete(parsed)
}
