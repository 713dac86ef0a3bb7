/** What the configuration file decides. The console only shows it, with the names of its keys. */
import type { ComponentChildren } from 'preact'
import { t } from '#console/language.ts'
import { Fault, Loading, NewTab } from '#console/parts/basics.tsx'
import { Copyable, InClone } from '#console/parts/copyable.tsx'
import { ProblemRows } from '#console/parts/problem-rows.tsx'
import { T } from '#console/parts/t.tsx'
import { useResource } from '#console/use-resource.ts'
import type { ConfigurationResource } from '#contracts/configuration.ts'
import { handbookOfSection } from '#contracts/handbook.ts'
import type { StatusResource } from '#contracts/health.ts'

/** Only the owner may fetch it. */
export function useConfiguration(isOwner = true) {
  return useResource<ConfigurationResource>(isOwner ? 'configuration' : null, [])
}

/** The nightly backups, and whether they work. */
export function Backup() {
  const { data, error, isLoading, reload } = useConfiguration()
  const status = useResource<StatusResource>('status', ['problem'])
  const failing = status.data?.problems.filter(({ code }) => code === 'BACKUP_FAILED') ?? []
  const backup = data?.backup
  return (
    <>
      <Fault error={error} retry={reload} />
      {isLoading && <Loading />}
      <ProblemRows problems={failing} here="#/settings/backup" />
      {data?.alarms === null && <OfOthers />}
      {data !== undefined && data.alarms !== null && (
        <section class="card" aria-label={t('Backup')}>
          {backup == null ? (
            <p>
              <strong>{t('No backup is made at night.')}</strong>{' '}
              {t('If the disk of the gateway breaks, its phones, webhooks and texts are lost.')}
            </p>
          ) : (
            <p>
              <strong>{t('A backup is made each night at {at}.', { at: backup.at })}</strong>
            </p>
          )}
          <dl class="facts keyed">
            <Key name="backup.dir" word={t('Folder')}>
              {backup?.dir ?? t('not set')}
            </Key>
            {backup != null && (
              <>
                <Key name="backup.second_dir" word={t('Second copy')}>
                  {backup.secondDir ?? t('not set')}
                </Key>
                <Key name="backup.at" word={t('Time of day')}>
                  {backup.at}
                </Key>
                <Key name="backup.keep_days" word={t('Kept for each day')}>
                  {t('1 day|{count} days', { count: backup.keepDays })}
                </Key>
                <Key name="backup.keep_weeks" word={t('Kept for each week')}>
                  {t('1 week|{count} weeks', { count: backup.keepWeeks })}
                </Key>
              </>
            )}
          </dl>
          <InTheFile section="backup" />
        </section>
      )}
    </>
  )
}

/** Who gets a text when something is wrong. */
export function Alarms() {
  const { data, error, isLoading, reload } = useConfiguration()
  const { recipients = [], heartbeat } = data?.alarms ?? {}
  return (
    <>
      <Fault error={error} retry={reload} />
      {isLoading && <Loading />}
      {data?.alarms === null && <OfOthers />}
      {data !== undefined && data.alarms !== null && (
        <section class="card" aria-label={t('Alarms')}>
          <p>
            {recipients.length === 0 ? (
              <>
                <strong>{t('Nobody gets a text when something is wrong with the gateway.')}</strong>{' '}
                {t('Its problems are on Home only.')}
              </>
            ) : (
              <strong>{t('The gateway texts these numbers when something is wrong with it.')}</strong>
            )}
          </p>
          <dl class="facts keyed">
            <Key name="alarms.recipients" word={t('Numbers')}>
              {recipients.length === 0 ? t('not set') : recipients.join(', ')}
            </Key>
            <Key name="alarms.heartbeat_url" word={t('Sign of life to a monitor')}>
              {heartbeat === true ? t('each minute') : t('not set')}
            </Key>
          </dl>
          {recipients.length > 0 && (
            <>
              <p>
                {t('To test it, run this on the machine that Roost runs on.')} <InClone />
              </p>
              <Copyable text="roost alarm test" label={t('the command')} />
            </>
          )}
          <InTheFile section="alarms" />
        </section>
      )}
    </>
  )
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
        <br />
        <code class="dim">{name}</code>
      </dd>
    </>
  )
}

function OfOthers() {
  return <p>{t('Only the account that set up this gateway sees this.')}</p>
}

function InTheFile({ section }: { section: 'backup' | 'alarms' }) {
  return (
    <p class="dim">
      <T>The configuration file decides this, in its section {{ section: <code>[{section}]</code> }}.</T>{' '}
      <NewTab href={handbookOfSection(section)}>{t('In the handbook')}</NewTab>
    </p>
  )
}
