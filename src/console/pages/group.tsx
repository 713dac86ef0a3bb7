import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Removal } from '#console/pages/person.tsx'
import { Fault, Field, Loading, PageHead } from '#console/parts/basics.tsx'
import { Members } from '#console/parts/members.tsx'
import { useAction, useResource } from '#console/use-resource.ts'
import type { GroupResource } from '#contracts/group.ts'
import type { PersonResource } from '#contracts/on-call.ts'

/** People under one name, whom webhooks and policies tell together. `id` null: a new group. */
export function GroupPage({ id }: { id: string | null }) {
  const path = `groups/${encodeURIComponent(id ?? '')}`
  const group = useResource<GroupResource>(id === null ? null : path, [])
  const people = useResource<readonly PersonResource[]>('people', [])
  if (people.data === undefined || (id !== null && group.data === undefined)) {
    const failed = people.error === null ? group : people
    return (
      <>
        <PageHead title={t('Group of people')} />
        {failed.error === null ? <Loading /> : <Fault error={failed.error} retry={failed.reload} />}
      </>
    )
  }
  return (
    <>
      <PageHead title={group.data?.name ?? t('New group of people')} />
      <GroupForm group={group.data ?? null} people={people.data} />
      {group.data !== undefined && <Removal what={t('group')} remove={group.remove} />}
    </>
  )
}

function GroupForm({ group, people }: { group: GroupResource | null; people: readonly PersonResource[] }) {
  const [name, setName] = useState(group?.name ?? '')
  const [members, setMembers] = useState<readonly string[]>(group?.people ?? [])
  const action = useAction()
  const { error } = action
  const save = () =>
    action.run(async () => {
      const [method, path] = group === null ? ['POST', 'groups'] : ['PATCH', `groups/${group.id}`]
      await call(method, path, { name, people: members })
      location.hash = '#/on-call'
    })
  return (
    <form
      class="card slim"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <Field
        label={t('Name')}
        required
        isFirst={group === null}
        value={name}
        onValue={setName}
        placeholder={t('For example Kitchen')}
        issue={error?.issueOf('name')}
      />
      <Members
        legend={t('Who is in it')}
        ids={members}
        onIds={setMembers}
        all={people}
        gone={t('Somebody who was removed')}
        add={[t('Add'), t('Choose a person')]}
        issue={error?.issueOf('people')}
      >
        <a href="#/people/new">{t('Add somebody new')}</a>
      </Members>
      <p class="hint">{t('Webhooks and policies can tell the whole group.')}</p>
      <Fault error={error} fields={['name', 'people']} />
      <button type="submit" class="primary" disabled={action.busy || members.length === 0}>
        {group === null ? t('Make group') : t('Save changes')}
      </button>
    </form>
  )
}
