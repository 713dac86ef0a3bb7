import { useState } from 'preact/hooks'
import { type ApiError, call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Choice, Empty, Fault, Field, Loading, Mark, PageHead, Tick } from '#console/parts/basics.tsx'
import { Danger } from '#console/parts/danger.tsx'
import { useAction, useResource } from '#console/use-resource.ts'
import type { ForwardKind, ForwardResource } from '#contracts/forward.ts'
import type { DeliveryResource } from '#contracts/notification.ts'
import type { PersonResource } from '#contracts/on-call.ts'

const FIELDS = ['name', 'url', 'target', 'credential', 'from', 'contains']

interface KindWords {
  readonly word: string
  readonly url?: string
  readonly target?: string
  readonly credential?: string
}

/** What each kind is called, and what it asks for. */
const KINDS: Readonly<Record<ForwardKind, KindWords>> = {
  ntfy: {
    word: 'ntfy',
    url: t('Address of the topic'),
    credential: t('Access token, if the topic needs one'),
  },
  gotify: { word: 'Gotify', url: t('Address of the server'), credential: t('Token of the application') },
  telegram: {
    word: 'Telegram',
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

/** Where received texts are passed on to. */
export function ForwardsPage() {
  const { data, error, isLoading, reload } = useResource<readonly ForwardResource[]>('forwards', ['delivery'])
  return (
    <>
      <PageHead title={t('Forwards')}>
        <a class="button primary" href="#/forwards/new">
          {t('New forward')}
        </a>
      </PageHead>
      <p class="dim">
        {t('Received texts go on to a chat, a mailbox or a person, with one-time codes hidden.')}
      </p>
      <Fault error={error} retry={reload} />
      {isLoading && <Loading />}
      {data?.length === 0 && <Empty title={t('No text is passed on')} />}
      <ul class="list">
        {data?.map(forward => (
          <li key={forward.id}>
            <a href={`#/forwards/${forward.id}`}>{forward.name}</a> · {KINDS[forward.kind].word}{' '}
            <State forward={forward} />
          </li>
        ))}
      </ul>
    </>
  )
}

function State({ forward: { enabled, failingSince } }: { forward: ForwardResource }) {
  if (!enabled) return <Mark tone="dim" mark="–" word={t('off')} />
  return failingSince === null ? null : <Mark tone="bad" mark="!" word={t('failing')} />
}

/** A forward. `id` null: a new one. */
export function ForwardPage({ id }: { id: string | null }) {
  const path = id === null ? null : `forwards/${encodeURIComponent(id)}`
  const { data, isLoading, error, reload, remove } = useResource<ForwardResource>(path, ['delivery'])
  const action = useAction()
  if (id !== null && data === undefined)
    return (
      <>
        <PageHead title={t('Forward')} />
        {isLoading ? <Loading /> : <Fault error={error} retry={reload} />}
      </>
    )
  const confirm = () =>
    action.run(async () => {
      await remove()
      location.hash = '#/forwards'
    })
  return (
    <>
      <PageHead title={data?.name ?? t('New forward')} />
      <ForwardForm forward={data ?? null} />
      {data !== undefined && (
        <>
          <TryForward forward={data} />
          <Danger
            word={t('Remove forward')}
            question={t('Texts are no longer passed on here, and what waits is cancelled.')}
            onConfirm={() => void confirm()}
          />
        </>
      )}
      <Fault error={action.error} />
    </>
  )
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
  const words = KINDS[kind]
  const given = (text: string, isAsked: boolean) => (isAsked && text !== '' ? text : null)
  return {
    ...draft,
    url: given(draft.url, words.url !== undefined || forward?.url != null),
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

function ForwardForm({ forward }: { forward: ForwardResource | null }) {
  const [draft, setDraft] = useState(draftOf(forward))
  const action = useAction()
  const { error } = action
  const part = { draft, set: (change: Partial<Draft>) => setDraft({ ...draft, ...change }), error }
  const save = () =>
    action.run(async () => {
      const body = bodyOf(draft, forward)
      if (forward === null) await call('POST', 'forwards', body)
      else await call('PATCH', `forwards/${forward.id}`, body)
      location.hash = '#/forwards'
    })
  return (
    <form
      class="card slim"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      {forward === null && (
        <Choice
          label={t('Where to')}
          value={draft.kind}
          onValue={kind => part.set({ kind: kind as ForwardKind })}
          options={Object.entries(KINDS).map(([one, { word }]) => [one, word] as const)}
        />
      )}
      <Where {...part} hasCredential={forward?.hasCredential === true} />
      <Which {...part} />
      <Fault error={error} fields={FIELDS} />
      <button type="submit" class="primary" disabled={action.busy}>
        {forward === null ? t('Add forward') : t('Save changes')}
      </button>
    </form>
  )
}

/** The name, and where texts go. */
function Where({ draft, set, error, hasCredential }: PartProps & { readonly hasCredential: boolean }) {
  const { kind, name, url, target, credential } = draft
  const words = KINDS[kind]
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
          required
          value={url}
          onValue={value => set({ url: value })}
          issue={error?.issueOf('url')}
        />
      )}
      {kind === 'sms' && <PersonChoice value={target} onValue={value => set({ target: value })} />}
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

function PersonChoice({ value, onValue }: { value: string; onValue: (id: string) => void }) {
  const { data = [] } = useResource<readonly PersonResource[]>('people', [])
  return (
    <Choice
      label={t('Person')}
      value={value}
      onValue={onValue}
      options={[['', t('Choose a person')], ...data.map(({ id, name }) => [id, name] as const)]}
    />
  )
}

/** Passes a sample text on, and leads to its delivery. */
function TryForward({ forward: { id, enabled } }: { forward: ForwardResource }) {
  const action = useAction()
  const [sentId, setSentId] = useState<string | null>(null)
  const press = () =>
    action.run(async () => {
      const delivery = await call<DeliveryResource>('POST', `forwards/${id}/test`)
      setSentId(delivery.id)
    })
  return (
    <section class="card slim">
      <h2>{t('Try it')}</h2>
      <div class="row">
        <button type="button" disabled={action.busy || !enabled} onClick={() => void press()}>
          {t('Pass a sample text on')}
        </button>
        <span role="status">
          {sentId !== null && <a href={`#/notifications/${sentId}`}>{t('See what became of it')}</a>}
        </span>
      </div>
      <Fault error={action.error} />
    </section>
  )
}
