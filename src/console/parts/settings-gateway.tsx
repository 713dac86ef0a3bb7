import { apiUrl, urlOf } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Fault, NewTab, When } from '#console/parts/basics.tsx'
import { Copyable, CopyButton } from '#console/parts/copyable.tsx'
import { Meter } from '#console/parts/meter.tsx'
import { Key, useConfiguration } from '#console/parts/settings-config.tsx'
import { may, session } from '#console/session-of-reader.ts'
import { dayStartWords } from '#console/time-words.ts'
import { useResource } from '#console/use-resource.ts'
import type { UsageResource } from '#contracts/account.ts'
import type { StatusResource } from '#contracts/health.ts'
import { LANGUAGES } from '#contracts/words.ts'

/** How much the account may send. */
export function Plan() {
  const { data, error, reload } = useResource<UsageResource>('account/usage', ['message'])
  return (
    <section class="card" aria-label={t('What you may send')}>
      <Fault error={error} retry={reload} />
      {data !== undefined && <Usage {...data} />}
    </section>
  )
}

function Usage({ plan, usage, limits }: UsageResource) {
  const time = dayStartWords(Date.now())
  return (
    <>
      <Meter
        label={t('Texts today, from {time} on', { time })}
        value={usage.smsToday}
        max={limits.smsPerDay}
      />
      <Meter
        label={t('Codes for logins today, from {time} on', { time })}
        value={usage['2faToday']}
        max={limits['2faPerDay']}
      />
      <p class="dim">
        {t('1 text this month.|{count} texts this month.', { count: usage.smsThisMonth })}{' '}
        {t('Your plan is {plan}.', { plan })}
      </p>
      {may('owner') && (
        <>
          <p class="dim">
            {t('For another plan, run this on the machine that Roost runs on, with its name for PLAN.')}
          </p>
          <Copyable
            text={`roost account set-plan ${session.value?.account.email ?? 'EMAIL'} PLAN`}
            label={t('the command for another plan')}
          />
        </>
      )}
    </>
  )
}

/** The time zone of the machine, and the language of the texts to people. */
function OfMachine() {
  const { data } = useConfiguration()
  if (data === undefined) return null
  return (
    <>
      <dt>{t('Time zone')}</dt>
      <dd>
        {data.timeZone}
        <br />
        <span class="dim">{t('That of its machine. It also counts for people and rotas without one.')}</span>
      </dd>
      <Key name="messages.language" word={t('Language of the texts')}>
        {LANGUAGES[data.language]}
      </Key>
    </>
  )
}

/** The gateway's address and version. */
export function Gateway() {
  const { data, error, reload } = useResource<StatusResource>('status', [])
  const address = data?.publicUrl ?? urlOf('')
  return (
    <section class="card" aria-label={t('Address and version')}>
      <Fault error={error} retry={reload} />
      <dl class="facts">
        <dt>{t('Address')}</dt>
        <dd class="row">
          <span class="mono">{address}</span>
          <CopyButton text={address} label={t('the address')} />
        </dd>
        {data !== undefined && (
          <>
            <dt>{t('Version')}</dt>
            <dd>{data.version}</dd>
            <dt>{t('Started')}</dt>
            <dd>
              <When at={data.startedAt} />
            </dd>
          </>
        )}
        {may('owner') && <OfMachine />}
      </dl>
      <p>
        <NewTab href={apiUrl('docs')}>{t('API reference')}</NewTab> ·{' '}
        <NewTab href={apiUrl('openapi.json')}>OpenAPI</NewTab> ·{' '}
        <NewTab href={urlOf('metrics')}>{t('Metrics')}</NewTab>
      </p>
    </section>
  )
}
