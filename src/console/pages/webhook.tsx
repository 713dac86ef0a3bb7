import { useEffect, useState } from 'preact/hooks'
import { call, urlOf } from '#console/api.ts'
import { Fault, Loading, PageHead } from '#console/parts/basics.tsx'
import { Copyable } from '#console/parts/copyable.tsx'
import { Danger } from '#console/parts/danger.tsx'
import { FirstAlert } from '#console/parts/first-alert.tsx'
import { SenderSteps } from '#console/parts/sender-steps.tsx'
import { Triggers } from '#console/parts/triggers.tsx'
import { WebhookForm } from '#console/parts/webhook-form.tsx'
import { TestButton, useWebhookTest } from '#console/parts/webhook-test.tsx'
import { useAction, useResource } from '#console/use-resource.ts'
import { bodyOf, type Draft, draftOf } from '#console/webhook-draft.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

/** A new webhook: its form with a preview of the text, and afterwards its address, shown once. */
export function NewWebhook() {
  const [made, setMade] = useState<WebhookResource | null>(null)
  const create = useAction()
  const save = (draft: Draft) =>
    create.run(async () => setMade(await call<WebhookResource>('POST', 'webhooks', bodyOf(draft))))
  if (made !== null) return <Address webhook={made} title={`The webhook “${made.name}” is ready`} />
  return (
    <>
      <PageHead title="New webhook" />
      <WebhookForm action={create} word="Make webhook" onSave={save} start={draftOf(null)} webhookId={null} />
    </>
  )
}

export function Webhook({ id }: { id: string }) {
  const path = `webhooks/${encodeURIComponent(id)}`
  const resource = useResource<WebhookResource>(path, ['webhook'])
  const change = useAction()
  const test = useWebhookTest(id)
  const [rotated, setRotated] = useState<WebhookResource | null>(null)
  if (rotated !== null) return <Address webhook={rotated} title={`${rotated.name} has a new address`} />
  if (resource.data === undefined)
    return (
      <>
        <PageHead title="Webhook" />
        {resource.isLoading ? <Loading /> : <Fault error={resource.error} retry={resource.reload} />}
      </>
    )
  const webhook = resource.data
  const save = (draft: Draft) =>
    change.run(async () => {
      await call('PATCH', path, bodyOf(draft))
      resource.reload()
    })
  const rotate = () =>
    change.run(async () => setRotated(await call<WebhookResource>('POST', `${path}/rotate`)))
  const remove = () =>
    change.run(async () => {
      await resource.remove()
      location.hash = '#/webhooks'
    })
  return (
    <>
      <PageHead title={webhook.name} />
      <TestButton webhook={webhook} test={test} />
      <Triggers webhook={webhook} />
      <h2>Change it</h2>
      <WebhookForm
        key={webhook.id}
        action={change}
        word="Save changes"
        onSave={save}
        start={draftOf(webhook)}
        webhookId={webhook.id}
      />
      <p class="hint">
        The address ends in …{webhook.tokenHint}. It was shown only once. If you have lost it, make a new one.
      </p>
      <div class="row">
        <Danger
          word="Make a new address"
          question="The current address stops working at once: give every sender the new one."
          onConfirm={() => void rotate()}
        />
        <Danger
          word="Remove webhook"
          question="From then on Roost refuses alerts to its address. Sent texts stay in the list."
          onConfirm={() => void remove()}
        />
      </div>
    </>
  )
}

/** The address, shown once, and what to do with it. */
function Address({ webhook, title }: { webhook: WebhookResource; title: string }) {
  // This page takes the place of a long form, so the window may be scrolled past the address.
  useEffect(() => scrollTo(0, 0), [])
  const url = urlOf(webhook.url ?? '')
  return (
    <>
      <PageHead title={title} />
      <section class="card">
        <h2>1. Copy its address, shown only now</h2>
        <Copyable text={url} label="the address" />
        <p class="hint">
          Whoever knows it can send texts to {webhook.recipients.join(', ')}, and to nobody else.
        </p>
      </section>
      <SenderSteps url={url} />
      <FirstAlert webhook={webhook} />
      <p>
        <a class="button" href={`#/webhooks/${webhook.id}`}>
          Show the webhook
        </a>
      </p>
    </>
  )
}
