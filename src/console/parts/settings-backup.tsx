import { useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Fault, Field, Tick } from '#console/parts/basics.tsx'
import { NextStep } from '#console/parts/first-steps.tsx'
import { ProblemRows } from '#console/parts/problem-rows.tsx'
import {
  InTheFile,
  Key,
  KeyName,
  type Known,
  UntilKnown,
  useChange,
  useConfiguration,
  useJustDone,
  useSwitch,
} from '#console/parts/settings-config.tsx'
import { useResource } from '#console/use-resource.ts'
import type { StatusResource } from '#contracts/health.ts'

const FROM_FILE = t(
  'Values with a key below them come from the configuration file or the environment: change them there.',
)

/** The nightly copies, and whether they work. */
export function Backup() {
  const configuration = useConfiguration()
  const { data, reload } = configuration
  const status = useResource<StatusResource>('status', ['problem'])
  const failing = status.data?.problems.filter(({ code }) => code === 'BACKUP_FAILED') ?? []
  const backup = data?.backup
  return (
    <>
      <UntilKnown there={configuration} />
      <ProblemRows problems={failing} here="#/settings/backup" />
      {backup != null && (
        <section aria-label={t('Backup')}>
          <Copies known={backup} fixed={data?.fixed ?? []} reload={reload} />
        </section>
      )}
      <NextStep isDone={useJustDone(backup?.enabled)} />
    </>
  )
}

function Copies({ known, fixed, reload }: Known<'backup'>) {
  const { enabled, dir, secondDir, at, keepDays, keepWeeks } = known
  const change = useChange(reload)
  const [isOn, setOn] = useSwitch(enabled)
  const { busy, error } = change
  const [time, setTime] = useState(at)
  const [days, setDays] = useState(String(keepDays))
  const [weeks, setWeeks] = useState(String(keepWeeks))
  const isFixed = (key: string) => fixed.includes(`backup.${key}`)
  const typed = { at: time, keepDays: Number(days), keepWeeks: Number(weeks) }
  const changed = Object.entries(typed).filter(
    ([key, value]) => !isFixed(key) && value !== Object(known)[key],
  )
  const number = { type: 'number', required: true }
  return (
    <form
      class="card"
      onSubmit={event => {
        event.preventDefault()
        void change.send({ backup: Object.fromEntries(changed) })
      }}
    >
      <p>
        {enabled ? (
          <strong>{t('A backup is made each night at {at}.', { at })}</strong>
        ) : (
          <>
            <strong>{t('No backup is made at night.')}</strong>{' '}
            {t('If the disk of the gateway breaks, its phones, webhooks and texts are lost.')}
          </>
        )}
      </p>
      {!isFixed('enabled') && (
        <Tick
          label={t('Make a copy every night')}
          checked={isOn}
          onValue={async on => {
            setOn(on)
            if (!(await change.send({ backup: { enabled: on } }))) setOn(!on)
          }}
        />
      )}
      {enabled && !isFixed('at') && (
        <Field
          label={t('Time of day')}
          type="time"
          required
          value={time}
          onValue={setTime}
          hint={t('In the time zone of the gateway.')}
          issue={error?.issueOf('backup.at')}
        />
      )}
      {enabled && !isFixed('keepDays') && (
        <Field
          {...number}
          label={t('Days of which a copy is kept')}
          min={1}
          max={366}
          value={days}
          onValue={setDays}
          issue={error?.issueOf('backup.keepDays')}
        />
      )}
      {enabled && !isFixed('keepWeeks') && (
        <Field
          {...number}
          label={t('Weeks of which a copy is kept')}
          min={0}
          max={520}
          value={weeks}
          onValue={setWeeks}
          issue={error?.issueOf('backup.keepWeeks')}
        />
      )}
      <Fault error={error} fields={['backup.at', 'backup.keepDays', 'backup.keepWeeks']} />
      {enabled && !['at', 'keepDays', 'keepWeeks'].every(isFixed) && (
        <div class="row">
          <button type="submit" disabled={busy || changed.length === 0}>
            {t('Save changes')}
          </button>
          <span role="status">{change.isSaved && changed.length === 0 && t('Saved')}</span>
        </div>
      )}
      <dl class="facts keyed">
        <dt>{t('Folder')}</dt>
        <dd>
          {dir}
          {isFixed('dir') && <KeyName name="backup.dir" />}
        </dd>
        {secondDir !== null && (
          <Key name="backup.second_dir" word={t('Second copy')}>
            {secondDir}
          </Key>
        )}
        {isFixed('at') && (
          <Key name="backup.at" word={t('Time of day')}>
            {at}
          </Key>
        )}
        {isFixed('keepDays') && (
          <Key name="backup.keep_days" word={t('Kept for each day')}>
            {t('1 day|{count} days', { count: keepDays })}
          </Key>
        )}
        {isFixed('keepWeeks') && (
          <Key name="backup.keep_weeks" word={t('Kept for each week')}>
            {t('1 week|{count} weeks', { count: keepWeeks })}
          </Key>
        )}
      </dl>
      <InTheFile section="backup">
        {fixed.some(key => key.startsWith('backup.')) && `${FROM_FILE} `}
        {!isFixed('dir') && t('Only the configuration file names other folders.')}
      </InTheFile>
    </form>
  )
}
