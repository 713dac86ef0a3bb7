import { t } from '#console/language.ts'
import { Dotted, Fault } from '#console/parts/basics.tsx'
import { Icon } from '#console/parts/navigation.tsx'
import { useConfiguration } from '#console/parts/settings-config.tsx'
import { may, session } from '#console/session-of-reader.ts'
import { type PartState, partStates } from '#console/settings-words.ts'
import { useResource } from '#console/use-resource.ts'
import type { KeyResource, UsageResource } from '#contracts/account.ts'
import type { StatusResource } from '#contracts/health.ts'
import type { UserResource } from '#contracts/user.ts'

/** A part of the settings: what follows `#/` in its address, its word, what it is about, its icon. */
export type PartEntry = readonly [path: string, word: string, about: string, icon: string]

/** Parts with one heading. Here it does not matter what else they have. */
type PartGroup = readonly [heading: string, parts: readonly (readonly [...PartEntry, ...unknown[]])[]]

/** All parts of the settings, each with its state in one line, in columns where there is room. */
export function SettingsParts({ columns }: { columns: readonly (readonly PartGroup[])[] }) {
  const { states, error, reload } = useStates()
  return (
    <>
      <Fault error={error} retry={reload} />
      <nav class="grid" aria-label={t('Parts of the settings')}>
        {columns.map((groups, index) => (
          <div key={index}>
            {groups.map(([heading, parts]) => (
              <section key={heading}>
                <h2>{heading}</h2>
                <ul class="list">
                  {parts.map(part => (
                    <PartLine key={part[0]} part={part} state={states[part[0]]} />
                  ))}
                </ul>
              </section>
            ))}
          </div>
        ))}
      </nav>
    </>
  )
}

function PartLine({
  part,
  state,
}: {
  part: readonly [...PartEntry, ...unknown[]]
  state: PartState | undefined
}) {
  const [path, word, about, icon] = part
  return (
    <li>
      <a class="with-icon" href={`#/${path}`}>
        <Icon path={icon} />
        <span>
          <strong>{word}</strong>
          <span class={`about ${state?.isAmiss === true ? 'wait' : 'dim'}`}>
            <Dotted parts={state?.facts ?? [about]} />
          </span>
        </span>
      </a>
    </li>
  )
}

/** The states of the parts, and what refused to tell one. */
function useStates() {
  const isOwner = may('owner')
  const own = <T,>(path: string) => useResource<T>(isOwner ? path : null, [])
  const sessions = useResource<readonly unknown[]>('sessions', [])
  const users = own<readonly UserResource[]>('users')
  const keys = own<readonly KeyResource[]>('keys')
  const configuration = useConfiguration(isOwner)
  const status = useResource<StatusResource>('status', ['problem'])
  const usage = useResource<UsageResource>('account/usage', ['message'])
  const resources = [sessions, users, keys, configuration, status, usage]
  const error = resources.find(one => one.error !== null)?.error ?? null
  return {
    error,
    reload: () => {
      for (const one of resources) one.reload()
    },
    states: partStates({
      email: session.value?.account.email ?? '',
      sessions: sessions.data,
      users: users.data,
      keys: keys.data,
      configuration: configuration.data,
      status: status.data,
      usage: usage.data,
      hasFailed: error !== null,
    }),
  }
}
