import { t } from '#console/language.ts'
import { Field, PageHead } from '#console/parts/basics.tsx'
import { Form } from '#console/parts/form.tsx'
import { Members } from '#console/parts/members.tsx'
import { Removal } from '#console/parts/removal.tsx'
import { untilThere } from '#console/parts/until-there.tsx'
import { save } from '#console/save.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import { useTyped } from '#console/use-typed.ts'
import type { GroupResource } from '#contracts/group.ts'
import type { PersonResource } from '#contracts/on-call.ts'

/** People under one name, whom webhooks and policies tell together. `id` null: a new group. */
export function GroupPage({ id }: { id: string | null }) {
  const path = `groups/${encodeURIComponent(id ?? '')}`
  const group = useResource<GroupResource>(id === null ? null : path, [])
  const people = useResource<readonly PersonResource[]>('people', [])
  const missing = untilThere(t('Group of people'), [group, people])
  if (missing !== null) return missing
  return (
    <>
      <PageHead title={group.data?.name ?? t('New group of people')} />
      <GroupForm group={group.data ?? null} people={people.data ?? []} />
      {group.data !== undefined && <Removal what={t('group')} resource={group} />}
    </>
  )
}

interface Draft {
  readonly name: string
  readonly people: readonly string[]
}

function GroupForm({ group, people }: { group: GroupResource | null; people: readonly PersonResource[] }) {
  const start: Draft = { name: group?.name ?? '', people: group?.people ?? [] }
  const [draft, setDraft, forget] = useTyped(`group ${group?.id}`, start)
  const action = useAction()
  const { error } = action
  const send = () =>
    action.run(async () => {
      await save('groups', group, draft)
      forget()
      location.hash = '#/on-call'
    })
  return (
    <Form
      action={action}
      send={send}
      fields={['name', 'people']}
      word={group === null ? t('Make group') : t('Save changes')}
    >
      <Field
        label={t('Name')}
        required
        isFirst={group === null}
        value={draft.name}
        onValue={name => setDraft({ ...draft, name })}
        placeholder={t('For example Kitchen')}
        issue={error?.issueOf('name')}
      />
      <Members
        legend={t('Who is in it')}
        ids={draft.people}
        onIds={ids => setDraft({ ...draft, people: ids })}
        all={people}
        gone={t('Somebody who was removed')}
        add={[t('Add'), t('Choose a person')]}
        issue={error?.issueOf('people')}
      >
        <a href="#/people/new">{t('Add somebody new')}</a>
      </Members>
      <p class="hint">{t('Webhooks and policies can tell the whole group.')}</p>
    </Form>
  )
}
