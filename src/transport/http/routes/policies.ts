import * as v from 'valibot'
import type { Writer } from '#contracts/commands.ts'
import {
  CreatePolicyRequest,
  PolicyResource,
  RemovedOnCall,
  UpdatePolicyRequest,
} from '#contracts/on-call.ts'
import { describePolicy } from '#domain/on-call/describe-on-call.ts'
import { findStepIssues } from '#domain/on-call/manage-policy.ts'
import type { OnCallRows } from '#domain/on-call/on-call-store.ts'
import { notFound } from '#domain/problem.ts'
import { rightFields, Validation } from '#transport/http/body.ts'
import { POLICY_ID, ROTA_ID, TIME } from '#transport/http/openapi/example-values.ts'
import { onCallReference, withoutUndefined } from '#transport/http/read-change.ts'
import { changeWithTarget, checkTarget, withTarget } from '#transport/http/read-target.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'

interface PolicyPorts {
  readonly writer: Writer
  readonly onCall: OnCallRows
}

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
const POLICY = { ...GIVEN, id: POLICY_ID, createdAt: TIME }
const OF_POLICY = { id: { description: 'Id of the policy, from the list of policies.', example: POLICY_ID } }

/** The routes of policies, which say who is told of an incident, and when. */
export function policyRoutes(ports: PolicyPorts): Route[] {
  return [...readingRoutes(ports), ...changingRoutes(ports), removalRoute(ports)]
}

function readingRoutes({ onCall }: PolicyPorts): Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/policies',
      access: 'key',
      role: 'viewer',
      body: 'none',
      operation: {
        id: 'listPolicies',
        tag: 'onCall',
        summary: 'List policies',
        description: 'The oldest first; an account has at most 50.',
        response: v.array(PolicyResource),
        problems: [401, 429, 503],
        example: { data: [POLICY] },
      },
      handle: ({ principal }) => ({ data: onCall.policies(principal.accountId).map(describePolicy) }),
    },
    {
      method: 'get',
      path: '/api/v1/policies/{id}',
      access: 'key',
      role: 'viewer',
      body: 'none',
      operation: {
        id: 'getPolicy',
        tag: 'onCall',
        summary: 'A policy',
        description: '404: the account has no policy with this id.',
        parameters: OF_POLICY,
        response: PolicyResource,
        problems: [401, 404, 429, 503],
        example: { data: POLICY },
      },
      handle({ principal, parameters }) {
        const policy = onCall.policy(principal.accountId, parameters[0] ?? '')
        if (policy === undefined) throw notFound('policy')
        return { data: describePolicy(policy) }
      },
    },
  ]
}

function changingRoutes({ writer, onCall }: PolicyPorts): Route[] {
  return [
    {
      method: 'post',
      path: '/api/v1/policies',
      access: 'account',
      role: 'operator',
      body: 'json',
      operation: {
        id: 'createPolicy',
        tag: 'onCall',
        summary: 'Make a policy',
        description:
          'Each step tells its people so many minutes after the first step of the round. 400 names a ' +
          'target that the account does not have, and `rot_…+1` of a rota with one person. 404: the ' +
          'account has no such phone or group of phones. 409: the account has 50 policies.',
        request: CreatePolicyRequest,
        response: PolicyResource,
        problems: [400, 401, 404, 409, 413, 415, 429, 503],
        example: { request: GIVEN, data: POLICY },
      },
      handle: async call => {
        const fields = withTarget(readPolicy(onCall, CreatePolicyRequest, call))
        const { accountId } = call.principal
        return { data: await writer.ask('policy.create', { accountId, fields }, call.by) }
      },
    },
    {
      method: 'patch',
      path: '/api/v1/policies/{id}',
      access: 'account',
      role: 'operator',
      body: 'json',
      operation: {
        id: 'updatePolicy',
        tag: 'onCall',
        summary: 'Change a policy',
        description:
          'Fields that are left out stay unchanged. Incidents that are open go on as they began. 400: as ' +
          'when a policy is made.',
        parameters: OF_POLICY,
        request: UpdatePolicyRequest,
        response: PolicyResource,
        problems: [400, 401, 404, 413, 415, 429, 503],
        example: { request: { rounds: 3 }, data: { ...POLICY, rounds: 3 } },
      },
      handle: async call => {
        const read = readPolicy(onCall, UpdatePolicyRequest, call)
        const which = onCallReference(call)
        const { deviceId = null } = onCall.policy(which.accountId, which.id) ?? {}
        const change = changeWithTarget(withoutUndefined(read), deviceId)
        return { data: await writer.ask('policy.update', { ...which, change }, call.by) }
      },
    },
  ]
}

function removalRoute({ writer }: PolicyPorts): Route {
  return {
    method: 'delete',
    path: '/api/v1/policies/{id}',
    access: 'account',
    role: 'operator',
    body: 'none',
    operation: {
      id: 'deletePolicy',
      tag: 'onCall',
      summary: 'Remove a policy',
      description: '409: a webhook names the policy; the message lists them.',
      parameters: OF_POLICY,
      response: RemovedOnCall,
      problems: [401, 404, 409, 429, 503],
      example: { data: { id: POLICY_ID } },
    },
    handle: async call => ({
      data: await writer.ask('on-call.remove', { ...onCallReference(call), kind: 'policy' }, call.by),
    }),
  }
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
