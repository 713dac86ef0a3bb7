import { useState } from 'preact/hooks'
import { urlOf } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Tabs } from '#console/parts/basics.tsx'
import { Copyable } from '#console/parts/copyable.tsx'
import { T } from '#console/parts/t.tsx'
import { RECIPES } from '#console/senders.ts'

/** How to enter the address in the system that sends the alerts. */
export function SenderSteps({ url }: { url: string }) {
  const [name, setName] = useState(RECIPES[0]?.name ?? '')
  const sender = RECIPES.find(one => one.name === name)
  return (
    <section class="card">
      <h2>{t('2. Set up your sender')}</h2>
      <Tabs
        label={t('Sender')}
        value={name}
        onValue={setName}
        options={RECIPES.map(one => [one.name, one.name] as const)}
      />
      <ol>
        {sender?.steps.map(step => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {sender?.file !== undefined && (
        <p>
          <T>
            <a href={urlOf(`senders/${sender.file}?token=${url.split('/').at(-1)}`)} download>
              File for {{ name }}
            </a>
            , with the address in it
          </T>
        </p>
      )}
      {name === 'curl' && (
        <Copyable text={`curl -d 'The backup has failed' '${url}'`} label={t('the command')} />
      )}
    </section>
  )
}
