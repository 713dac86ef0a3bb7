import { CreateGroupRequest, GroupResource, UpdateGroupRequest } from '#contracts/group.ts'
import { RemovedOnCall } from '#contracts/on-call.ts'
import { unknownPeople } from '#domain/on-call/check-people.ts'
import { describeGroup } from '#domain/on-call/describe-on-call.ts'
import { rightFields, Validation } from '#transport/http/body.ts'
import { GROUP_ID, PERSON_ID, TIME } from '#transport/http/openapi/example-values.ts'
import { referenceOf, withoutUndefined } from '#transport/http/read-change.ts'
import { resourceRoutes } from '#transport/http/resource-routes.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

type GroupPorts = Pick<RoutePorts, 'writer' | 'onCall'>

const GIVEN = { name: 'Evenings', people: [PERSON_ID] }

/** The routes of groups of people. */
export function groupRoutes({ writer, onCall }: GroupPorts): Route[] {
  const read = <T extends typeof CreateGroupRequest | typeof UpdateGroupRequest>(
    schema: T,
    { principal, json }: AuthorizedCall,
  ) => {
    const validation = new Validation()
    const parsed = validation.parse(schema, json)
    const { people = [] } = rightFields(CreateGroupRequest, json)
    validation.addAll(unknownPeople(onCall, principal.accountId, people))
    return validation.complete(parsed)
  }
  return resourceRoutes({
    path: '/api/v1/groups',
    tag: 'onCall',
    named: ['Group', 'Groups'],
    word: 'group',
    ofId: 'Id of the group, from the list of groups.',
    byKey: true,
    words: {
      list: ['List groups of people', 'The oldest first; an account has at most 50.'],
      get: 'A group of people',
      create: [
        'Make a group of people',
        'Webhooks (`people`) and the steps of policies (`tell`) can name it. 400 names an id that is no ' +
          'person of the account. 409: the account has 50 groups.',
      ],
      update: [
        'Change a group of people',
        'Fields that are left out stay unchanged. The change applies from the next alert on.',
      ],
      remove: [
        'Remove a group of people',
        '409: a webhook or a policy names the group; the message lists them.',
      ],
    },
    schemas: {
      create: CreateGroupRequest,
      update: UpdateGroupRequest,
      item: GroupResource,
      removed: RemovedOnCall,
    },
    example: [GIVEN, { ...GIVEN, id: GROUP_ID, createdAt: TIME }, { name: 'Nights' }],
    problems: { remove: [409] },
    rows: onCall.group,
    show: describeGroup,
    create: call => {
      const fields = read(CreateGroupRequest, call)
      return writer.ask('group.create', { accountId: call.principal.accountId, fields }, call.by)
    },
    update: call => {
      const change = withoutUndefined(read(UpdateGroupRequest, call))
      return writer.ask('group.update', { ...referenceOf(call), change }, call.by)
    },
    remove: call => writer.ask('on-call.remove', { ...referenceOf(call), kind: 'group' }, call.by),
  })
}
