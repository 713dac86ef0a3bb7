/**
 * What the owner sets of the gateway itself. What the configuration file or the environment says is only
 * shown, with the names of its keys.
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Fault, Loading, NewTab } from '#console/parts/basics.tsx'
import { type Action, type Resource, useAction, useResource } from '#console/use-resource.ts'
import type { ConfigurationChange, ConfigurationResource } from '#contracts/configuration.ts'
import { handbookOfSection } from '#contracts/handbook.ts'

/** Only the owner may fetch it. */
export function useConfiguration(isOwner = true) {
  return useResource<ConfigurationResource>(isOwner ? 'configuration' : null, [])
}

/** A section of the configuration, for its owner. */
export interface Known<Section extends 'alarms' | 'backup'> {
  readonly known: NonNullable<ConfigurationResource[Section]>
  readonly fixed: readonly string[]
  readonly reload: () => void
}

interface Change extends Pick<Action, 'busy' | 'error'> {
  readonly isSaved: boolean
  send(change: ConfigurationChange): Promise<boolean>
}

/** A change of the configuration, which is then read anew. */
export function useChange(reload: () => void): Change {
  const { run, busy, error } = useAction()
  const [isSaved, setSaved] = useState(false)
  return {
    busy,
    error,
    isSaved,
    async send(change) {
      const isDone = await run(() => call('PATCH', 'configuration', change))
      setSaved(isDone)
      if (isDone) reload()
      return isDone
    },
  }
}

/** A switch that shows at once what was chosen, and what is true once that is known. */
export function useSwitch(isOn: boolean) {
  const [isShown, setShown] = useState(isOn)
  useEffect(() => setShown(isOn), [isOn])
  return [isShown, setShown] as const
}

/** Whether something was done on this page. Undefined, null: not known yet, or it is not for this reader. */
export function useJustDone(isDone: boolean | null | undefined): boolean {
  const wasDone = useRef<boolean | null>(null)
  wasDone.current ??= isDone ?? null
  return isDone === true && wasDone.current === false
}

interface KeyProps {
  /** Of the key in the configuration file. */
  readonly name: string
  readonly word: string
  readonly children: ComponentChildren
}

/** A value, with the key that decides it. */
export function Key({ name, word, children }: KeyProps) {
  return (
    <>
      <dt>{word}</dt>
      <dd>
        {children}
        <KeyName name={name} />
      </dd>
    </>
  )
}

export function KeyName({ name }: Pick<KeyProps, 'name'>) {
  return (
    <>
      <br />
      <code class="dim">{name}</code>
    </>
  )
}

/** What stands where the configuration would: that it is on its way, why it is not, or whose it is. */
export function UntilKnown({
  there: { data, error, isLoading, reload },
}: {
  there: Resource<ConfigurationResource>
}) {
  return (
    <>
      <Fault error={error} retry={reload} />
      {isLoading && <Loading />}
      {data?.alarms === null && <p>{t('Only the account that set up this gateway sees this.')}</p>}
    </>
  )
}

interface InTheFileProps {
  readonly section: 'backup' | 'alarms'
  /** The key that the file or the environment says. */
  readonly name?: string | false
  readonly children?: ComponentChildren
}

export function InTheFile({ section, name = false, children }: InTheFileProps) {
  return (
    <p class="dim">
      {name !== false && (
        <>
          {t('The configuration file or the environment says this: change it there.')} <code>
            {name}
          </code>{' '}
        </>
      )}
      {children} <NewTab href={handbookOfSection(section)}>{t('In the handbook')}</NewTab>
    </p>
  )
}
