import { useState } from 'preact/hooks'
import type { ApiError } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Choice, Field, Tick } from '#console/parts/basics.tsx'
import { Form } from '#console/parts/form.tsx'
import { Issue } from '#console/parts/issue.tsx'
import { save } from '#console/save.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import type { ForwardKind, ForwardResource } from '#contracts/forward.ts'
import type { PersonResource } from '#contracts/on-call.ts'

const FIELDS = ['name', 'url', 'target', 'credential', 'from', 'contains']

interface KindWords {
  readonly word: string
  readonly url?: string
  readonly target?: string
  readonly credential?: string
}

/** What each kind is called, and what it asks for. */
export const FORWARD_KINDS: Readonly<Record<ForwardKind, KindWords>> = {
  ntfy: {
    word: 'ntfy',
    url: t('Address of the topic'),
    credential: t('Access token, if the topic needs one'),
  },
  gotify: { word: 'Gotify', url: t('Address of the server'), credential: t('Token of the application') },
  telegram: {
    word: 'Telegram',
    url: t('Address of the Bot API, if it is not Telegram’s own'),
    target: t('Chat: its number, or @ and its name'),
    credential: t('Token of the bot'),
  },
  matrix: {
    word: 'Matrix',
    url: t('Address of the server'),
    target: t('Room, like !abc:example.org'),
    credential: t('Access token of the sender'),
  },
  slack: { word: 'Slack, Mattermost, Rocket.Chat', url: t('Address of the incoming webhook') },
  discord: { word: 'Discord', url: t('Address of the webhook') },
  email: { word: t('E-mail'), target: t('Mail address') },
  sms: { word: t('Text to a person'), target: t('Person') },
}

type Draft = ReturnType<typeof draftOf>

function draftOf(forward: ForwardResource | null) {
  return {
    kind: (forward?.kind ?? 'ntfy') as ForwardKind,
    name: forward?.name ?? '',
    url: forward?.url ?? '',
    target: forward?.target ?? '',
    credential: '',
    from: forward?.from ?? '',
    contains: forward?.contains ?? '',
    codes: forward?.codes ?? false,
    enabled: forward?.enabled ?? true,
  }
}

/** What the API wants: only settings that the kind has, and a credential only if one was typed. */
function bodyOf({ credential, kind, ...draft }: Draft, forward: ForwardResource | null) {
  const words = FORWARD_KINDS[kind]
  const given = (text: string, isAsked: boolean) => (isAsked && text !== '' ? text : null)
  return {
    ...draft,
    url: given(draft.url, words.url !== undefined),
    target: given(draft.target, words.target !== undefined),
    from: given(draft.from, true),
    contains: given(draft.contains, true),
    ...(credential !== '' && words.credential !== undefined && { credential }),
    ...(forward === null && { kind }),
  }
}

interface PartProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
  readonly error: ApiError | null
}

export function ForwardForm({ forward }: { forward: ForwardResource | null }) {
  const [draft, setDraft] = useState(draftOf(forward))
  const action = useAction()
  const { error } = action
  const part = { draft, set: (change: Partial<Draft>) => setDraft({ ...draft, ...change }), error }
  const send = () =>
    action.run(async () => {
      const { id } = await save<ForwardResource>('forwards', forward, bodyOf(draft, forward))
      // The next thing to do is to try it. Back does not lead to the form that is done with.
      if (forward === null) location.replace(`#/forwards/${id}`)
      else location.hash = '#/forwards'
    })
  return (
    <Form
      action={action}
      send={send}
      fields={FIELDS}
      word={forward === null ? t('Make forward') : t('Save changes')}
    >
      {forward === null && (
        <Choice
          label={t('Where to')}
          value={draft.kind}
          onValue={kind => part.set({ kind: kind as ForwardKind })}
          options={Object.entries(FORWARD_KINDS).map(([one, { word }]) => [one, word] as const)}
        />
      )}
      <Where {...part} hasCredential={forward?.hasCredential === true} />
      <Which {...part} />
    </Form>
  )
}

/** The name, and where texts go. */
function Where({ draft, set, error, hasCredential }: PartProps & { readonly hasCredential: boolean }) {
  const { kind, name, url, target, credential } = draft
  const words = FORWARD_KINDS[kind]
  return (
    <>
      <Field
        label={t('Name')}
        required
        value={name}
        onValue={value => set({ name: value })}
        issue={error?.issueOf('name')}
      />
      {words.url !== undefined && (
        <Field
          label={words.url}
          type="url"
          required={kind !== 'telegram'}
          value={url}
          onValue={value => set({ url: value })}
          issue={error?.issueOf('url')}
        />
      )}
      {kind === 'sms' && <PersonChoice draft={draft} set={set} error={error} />}
      {kind !== 'sms' && words.target !== undefined && (
        <Field
          label={words.target}
          required
          value={target}
          onValue={value => set({ target: value })}
          issue={error?.issueOf('target')}
        />
      )}
      {words.credential !== undefined && (
        <Field
          label={words.credential}
          type="password"
          autoComplete="off"
          required={kind !== 'ntfy' && !hasCredential}
          value={credential}
          onValue={value => set({ credential: value })}
          hint={hasCredential ? t('Leave it empty to keep the one that is stored.') : undefined}
          issue={error?.issueOf('credential')}
        />
      )}
    </>
  )
}

/** Which texts go, and how. */
function Which({ draft, set, error }: PartProps) {
  return (
    <>
      <Field
        label={t('Only from')}
        value={draft.from}
        onValue={from => set({ from })}
        hint={t('A number or a name as in the list of received texts. Empty: from everybody.')}
        issue={error?.issueOf('from')}
      />
      <Field
        label={t('Only with the words')}
        value={draft.contains}
        onValue={contains => set({ contains })}
        hint={t('Empty: all texts.')}
        issue={error?.issueOf('contains')}
      />
      <Tick
        label={t('Pass one-time codes on, too')}
        checked={draft.codes}
        onValue={codes => set({ codes })}
      />
      <Tick label={t('Switched on')} checked={draft.enabled} onValue={enabled => set({ enabled })} />
    </>
  )
}

function PersonChoice({ draft, set, error }: PartProps) {
  const { data = [] } = useResource<readonly PersonResource[]>('people', [])
  return (
    <fieldset class="bare">
      <Choice
        label={t('Person')}
        value={draft.target}
        onValue={target => set({ target })}
        options={[['', t('Choose a person')], ...data.map(({ id, name }) => [id, name] as const)]}
      />
      <Issue text={error?.issueOf('target')} />
      <p>
        <a href="#/people/new">{t('Add somebody new')}</a>
      </p>
    </fieldset>
  )
}
