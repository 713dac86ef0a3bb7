import * as v from 'valibot'
import type { Writer } from '#contracts/commands.ts'
import { CreateGroupRequest, GroupResource, UpdateGroupRequest } from '#contracts/group.ts'
import { RemovedOnCall } from '#contracts/on-call.ts'
import { unknownPeople } from '#domain/on-call/check-people.ts'
import { describeGroup } from '#domain/on-call/describe-on-call.ts'
import type { OnCallRows } from '#domain/on-call/on-call-store.ts'
import { notFound } from '#domain/problem.ts'
import { rightFields, Validation } from '#transport/http/body.ts'
import { GROUP_ID, PERSON_ID, TIME } from '#transport/http/openapi/example-values.ts'
import { onCallReference, withoutUndefined } from '#transport/http/read-change.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'

interface GroupPorts {
  readonly writer: Writer
  readonly onCall: OnCallRows
}

const GIVEN = { name: 'Evenings', people: [PERSON_ID] }
const GROUP = { ...GIVEN, id: GROUP_ID, createdAt: TIME }
const OF_GROUP = { id: { description: 'Id of the group, from the list of groups.', example: GROUP_ID } }

/** The routes of groups of people. */
export function groupRoutes(ports: GroupPorts): Route[] {
  return [...readingRoutes(ports), ...changingRoutes(ports), removalRoute(ports)]
}

function readingRoutes({ onCall }: GroupPorts): Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/groups',
      access: 'key',
      role: 'viewer',
      body: 'none',
      operation: {
        id: 'listGroups',
        tag: 'onCall',
        summary: 'List groups of people',
        description: 'The oldest first; an account has at most 50.',
        response: v.array(GroupResource),
        problems: [401, 429, 503],
        example: { data: [GROUP] },
      },
      handle: ({ principal }) => ({ data: onCall.groups(principal.accountId).map(describeGroup) }),
    },
    {
      method: 'get',
      path: '/api/v1/groups/{id}',
      access: 'key',
      role: 'viewer',
      body: 'none',
      operation: {
        id: 'getGroup',
        tag: 'onCall',
        summary: 'A group of people',
        description: '404: the account has no group with this id.',
        parameters: OF_GROUP,
        response: GroupResource,
        problems: [401, 404, 429, 503],
        example: { data: GROUP },
      },
      handle({ principal, parameters }) {
        const group = onCall.group(principal.accountId, parameters[0] ?? '')
        if (group === undefined) throw notFound('group')
        return { data: describeGroup(group) }
      },
    },
  ]
}

function changingRoutes(ports: GroupPorts): Route[] {
  const { writer } = ports
  return [
    {
      method: 'post',
      path: '/api/v1/groups',
      access: 'account',
      role: 'operator',
      body: 'json',
      operation: {
        id: 'createGroup',
        tag: 'onCall',
        summary: 'Make a group of people',
        description:
          'Webhooks (`people`) and the steps of policies (`tell`) can name it. 400 names an id that is no ' +
          'person of the account. 409: the account has 50 groups.',
        request: CreateGroupRequest,
        response: GroupResource,
        problems: [400, 401, 409, 413, 415, 429, 503],
        example: { request: GIVEN, data: GROUP },
      },
      handle: async call => {
        const fields = readGroup(ports, CreateGroupRequest, call)
        const { accountId } = call.principal
        return { data: await writer.ask('group.create', { accountId, fields }, call.by) }
      },
    },
    {
      method: 'patch',
      path: '/api/v1/groups/{id}',
      access: 'account',
      role: 'operator',
      body: 'json',
      operation: {
        id: 'updateGroup',
        tag: 'onCall',
        summary: 'Change a group of people',
        description: 'Fields that are left out stay unchanged. The change applies from the next alert on.',
        parameters: OF_GROUP,
        request: UpdateGroupRequest,
        response: GroupResource,
        problems: [400, 401, 404, 413, 415, 429, 503],
        example: { request: { name: 'Nights' }, data: { ...GROUP, name: 'Nights' } },
      },
      handle: async call => {
        const change = withoutUndefined(readGroup(ports, UpdateGroupRequest, call))
        return { data: await writer.ask('group.update', { ...onCallReference(call), change }, call.by) }
      },
    },
  ]
}

function removalRoute({ writer }: GroupPorts): Route {
  return {
    method: 'delete',
    path: '/api/v1/groups/{id}',
    access: 'account',
    role: 'operator',
    body: 'none',
    operation: {
      id: 'deleteGroup',
      tag: 'onCall',
      summary: 'Remove a group of people',
      description: '409: a webhook or a policy names the group; the message lists them.',
      parameters: OF_GROUP,
      response: RemovedOnCall,
      problems: [401, 404, 409, 429, 503],
      example: { data: { id: GROUP_ID } },
    },
    handle: async call => ({
      data: await writer.ask('on-call.remove', { ...onCallReference(call), kind: 'group' }, call.by),
    }),
  }
}

function readGroup<T extends typeof CreateGroupRequest | typeof UpdateGroupRequest>(
  { onCall }: GroupPorts,
  schema: T,
  { principal, json }: AuthorizedCall,
): v.InferOutput<T> {
  const validation = new Validation()
  const parsed = validation.parse(schema, json)
  const { people = [] } = rightFields(CreateGroupRequest, json)
  validation.addAll(unknownPeople(onCall, principal.accountId, people))
  return validation.complete(parsed)
}
