/** Groups of people in the API: names under which webhooks and policies tell several people. */
import * as v from 'valibot'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { RECIPIENTS_MAX } from '#contracts/bounds.ts'
import { noted } from '#contracts/noted.ts'
import type { OwnedCommands } from '#contracts/owned.ts'
import { GroupId, Instant, Name, PersonId } from '#contracts/primitives.ts'

const PEOPLE_MAX = ACCOUNT_BOUNDS.groupPeople.most

function ids(max: number, word: string) {
  return v.pipe(
    v.array(v.string('must be text'), `must be a list of ids of ${word}`),
    v.maxLength(max, `must contain at most ${max} ids`),
    v.check(items => new Set(items).size === items.length, 'must name each once'),
  )
}

const settings = {
  name: noted(Name, 'A label for people, 1 to 80 characters on one line.'),
  people: noted(
    v.pipe(ids(PEOPLE_MAX, 'people'), v.minLength(1, 'must contain at least one person')),
    `Ids of 1 to ${PEOPLE_MAX} people, each once.`,
  ),
}

export const CreateGroupRequest = v.object(settings)
export type GroupFields = v.InferOutput<typeof CreateGroupRequest>

/** Absent fields stay as they are. */
export const UpdateGroupRequest = v.partial(CreateGroupRequest)

export const GroupResource = v.object({
  id: noted(GroupId, 'The identifier, `grp_…`.'),
  name: settings.name,
  people: noted(v.array(PersonId), 'Ids of its people, each once.'),
  createdAt: noted(Instant, 'Time of creation.'),
})
export type GroupResource = v.InferOutput<typeof GroupResource>

/** The people and groups that a webhook tells. */
export const WebhookPeople = noted(
  ids(RECIPIENTS_MAX, 'people and groups'),
  'Up to 20 ids of people (`per_…`) and groups of people (`grp_…`) who get the texts, too. Who is in a ' +
    'group is looked up at each trigger. Nobody reads an alert twice.',
)

/** The writer's commands for groups of people. `on-call.remove` removes one. */
export type GroupCommands = OwnedCommands<'group', GroupFields, GroupResource>
