import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { curlOf } from '#console/curl-of.ts'
import { t } from '#console/language.ts'
import { Fault, Field, Tick, When } from '#console/parts/basics.tsx'
import { Copyable } from '#console/parts/copyable.tsx'
import { Danger } from '#console/parts/danger.tsx'
import { T } from '#console/parts/t.tsx'
import { useAction, useResource } from '#console/use-resource.ts'
import type { CreatedKeyResource, KeyResource } from '#contracts/account.ts'

/** The keys by which programs call the API. */
export function Keys() {
  const keys = useResource<readonly KeyResource[]>('keys', [])
  const [name, setName] = useState('')
  const [isTest, setTest] = useState(false)
  const [isMonitor, setMonitor] = useState(false)
  const [made, setMade] = useState<CreatedKeyResource | null>(null)
  const { busy, error, run } = useAction()
  const valid = keys.data?.filter(({ revokedAt }) => revokedAt === null) ?? []
  const create = () =>
    run(async () => {
      const wanted = { name, test: isTest, cleanText: isMonitor }
      setMade(await call<CreatedKeyResource>('POST', 'keys', wanted))
      setName('')
      keys.reload()
    })
  const revoke = (id: string) =>
    run(async () => {
      await call('DELETE', `keys/${id}`)
      keys.reload()
    })
  return (
    <div class="twin">
      <section class="entries" aria-label={t('Keys for programs')}>
        {made !== null && (
          <div class="notice good" role="status">
            <p>
              <T>The key of {{ name: made.name }}, shown only now:</T>
            </p>
            <Copyable text={made.key} label={t('the key')} />
            <p>{t('To send a text with it, put in a number:')}</p>
            <Copyable
              text={curlOf(made.key, '+14155550123', t('Hello from my script'))}
              label={t('the command')}
            />
          </div>
        )}
        <Fault error={keys.error} retry={keys.reload} />
        {keys.data !== undefined && valid.length === 0 && <p class="dim">{t('No program has a key yet.')}</p>}
        {valid.length > 0 && (
          <ul class="list users">
            {valid.map(key => (
              <li key={key.id}>
                <div class="item">
                  <p>
                    <strong>{key.name}</strong> <span class="mono dim">{key.hint}</span>
                    <br />
                    <span class="dim">
                      {key.test ? t('Sandbox: reaches no phone') : t('Live')}
                      {key.cleanText && ` · ${t('leaves out emoji and markup')}`} ·{' '}
                      <T>
                        last used <When at={key.lastUsedAt} />
                      </T>
                    </span>
                  </p>
                  <Danger
                    word={t('Revoke')}
                    question={t('Programs that use the key {name} are then refused.', { name: key.name })}
                    onConfirm={() => void revoke(key.id)}
                  />
                </div>
              </li>
            ))}
          </ul>
        )}
      </section>
      <form
        class="card"
        aria-labelledby="new-key"
        onSubmit={event => {
          event.preventDefault()
          void create()
        }}
      >
        <h2 id="new-key">{t('New key')}</h2>
        <Field
          label={t('Name')}
          required
          value={name}
          onValue={setName}
          placeholder={t('For example Backup script')}
          issue={error?.issueOf('name')}
        />
        <Tick label={t('Sandbox: what it sends reaches no phone')} checked={isTest} onValue={setTest} />
        <Tick
          label={t('For a monitor: leave out emoji and markup, which make texts longer')}
          checked={isMonitor}
          onValue={setMonitor}
        />
        <Fault error={error} fields={['name']} />
        <button type="submit" class="primary" disabled={busy}>
          {t('Make key')}
        </button>
      </form>
    </div>
  )
}
