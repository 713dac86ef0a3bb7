import { useState } from 'preact/hooks'
import { urlOf } from '#console/api.ts'
import { Tabs } from '#console/parts/basics.tsx'
import { Copyable } from '#console/parts/copyable.tsx'
import { RECIPES } from '#console/senders.ts'

/** How to enter the address in the system that sends the alerts. */
export function SenderSteps({ url }: { url: string }) {
  const [name, setName] = useState(RECIPES[0]?.name ?? '')
  const sender = RECIPES.find(one => one.name === name)
  return (
    <section class="card">
      <h2>2. Set up your sender</h2>
      <Tabs
        label="Sender"
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
          <a href={urlOf(`senders/${sender.file}?token=${url.split('/').at(-1)}`)} download>
            File for {name}
          </a>
          , with the address in it
        </p>
      )}
      {name === 'curl' && <Copyable text={`curl -d 'The backup has failed' '${url}'`} label="the command" />}
    </section>
  )
}
