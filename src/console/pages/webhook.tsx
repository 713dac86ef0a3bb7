import { useEffect } from 'preact/hooks'
import { call, isLocalHost, urlOf } from '#console/api.ts'
import { t } from '#console/language.ts'
import {
  leaveIfCopied,
  leaveNewAddress,
  type NewAddress,
  newAddressOf,
  noteCopied,
  showNewAddress,
} from '#console/new-address.ts'
import { Loading, PageHead } from '#console/parts/basics.tsx'
import { Copyable } from '#console/parts/copyable.tsx'
import { Danger } from '#console/parts/danger.tsx'
import { FirstAlert } from '#console/parts/first-alert.tsx'
import { Locked } from '#console/parts/locked.tsx'
import { SenderSteps } from '#console/parts/sender-steps.tsx'
import { ReadingList } from '#console/parts/settle-reading.tsx'
import { T } from '#console/parts/t.tsx'
import { TriggerList } from '#console/parts/triggers.tsx'
import { untilThere } from '#console/parts/until-there.tsx'
import { WebhookForm } from '#console/parts/webhook-form.tsx'
import { TestButton, useWebhookTest } from '#console/parts/webhook-test.tsx'
import { linkTo } from '#console/route.ts'
import { may } from '#console/session-of-reader.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import { type Draft, draftOf, requestOfDraft } from '#console/webhook-draft.ts'
import type { StatusResource } from '#contracts/health.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

/** A new webhook: its form with a preview of the text. Its page then shows its address, once. */
export function NewWebhookPage() {
  const create = useAction()
  const save = (draft: Draft) =>
    create.run(async () => {
      const made = await call<WebhookResource>('POST', 'webhooks', requestOfDraft(draft))
      showAddressOf(made, true)
      // The form is done with, so Back does not lead to it.
      location.replace(linkTo(`webhooks/${made.id}`))
    })
  return (
    <>
      <PageHead title={t('New webhook')} />
      <WebhookForm
        action={create}
        word={t('Make webhook')}
        onSave={save}
        start={draftOf(null)}
        webhookId={null}
      />
    </>
  )
}

function showAddressOf({ id, url, mailAddress }: WebhookResource, isFirst: boolean): void {
  showNewAddress({ webhookId: id, url: urlOf(url ?? ''), mailAddress, isFirst })
}

export function WebhookPage({ id }: { id: string }) {
  const path = `webhooks/${encodeURIComponent(id)}`
  const resource = useResource<WebhookResource>(path, ['webhook'])
  const change = useAction()
  const test = useWebhookTest(id)
  const address = newAddressOf(id)
  useEffect(() => () => leaveIfCopied(id), [])
  if (resource.data === undefined) return untilThere(t('Webhook'), [resource])
  const webhook = resource.data
  if (address !== null) return <Address key={address.url} webhook={webhook} address={address} />
  const save = (draft: Draft) =>
    change.run(async () => {
      await call('PATCH', path, requestOfDraft(draft))
      resource.reload()
    })
  const rotate = () =>
    change.run(async () => showAddressOf(await call<WebhookResource>('POST', `${path}/rotate`), false))
  const remove = () =>
    change.run(async () => {
      await resource.remove()
      location.hash = '#/webhooks'
    })
  return (
    <>
      <PageHead title={webhook.name} />
      {may('operator') && <TestButton webhook={webhook} test={test} />}
      <TriggerList webhook={webhook} />
      <Locked to="operator">
        <ReadingList webhook={webhook} />
        <h2 class="group-head">{may('operator') ? t('Change it') : t('Its settings')}</h2>
        <WebhookForm
          key={webhook.id}
          action={change}
          word={t('Save changes')}
          onSave={save}
          start={draftOf(webhook)}
          webhookId={webhook.id}
        />
        <p class="hint">
          {t('The address ends in {hint}. It was shown only once.', { hint: webhook.tokenHint })}
          {may('operator') && ` ${t('If you have lost it, make a new one.')}`}
        </p>
        <div class="row removal">
          <Danger
            word={t('Make a new address')}
            question={t('The current address stops working at once: give every sender the new one.')}
            onConfirm={() => void rotate()}
          />
          <Danger
            word={t('Remove webhook')}
            question={t('From then on Roost refuses alerts to its address. Sent texts stay in the list.')}
            onConfirm={() => void remove()}
          />
        </div>
      </Locked>
    </>
  )
}

interface AddressProps {
  readonly webhook: WebhookResource
  readonly address: NewAddress
}

/** The address, shown once, and what to do with it. */
function Address({ webhook, address: { url, mailAddress, isFirst, isCopied } }: AddressProps) {
  // This page takes the place of a long form, so the window may be scrolled past the address.
  useEffect(() => scrollTo(0, 0), [])
  const here = new URL(url)
  const isLocal = isLocalHost(here.hostname)
  const status = useResource<StatusResource>(isLocal ? 'status' : null, [])
  const { name, recipients, people, policyId } = webhook
  const told = [
    ...recipients,
    ...(people.length > 0 ? [t('the people it names')] : []),
    ...(policyId === null ? [] : [t('the people of its policy')]),
  ]
  if (status.isLoading) return <Loading />
  const shownUrl = status.data === undefined ? url : `${status.data.publicUrl}${here.pathname}`
  return (
    <>
      <PageHead
        title={
          isFirst ? t('The webhook “{name}” is ready', { name }) : t('{name} has a new address', { name })
        }
      />
      <section class="card">
        <h2>{t('1. Copy its address, shown only now')}</h2>
        <Copyable text={shownUrl} label={t('the address')} onCopied={() => noteCopied(webhook.id)} />
        {shownUrl !== url && (
          <p class="hint">
            <T>
              You opened this page at {{ host: here.host }}, which other machines do not reach, so this is the
              address in your network. Another one: set public_url in the configuration.
            </T>
          </p>
        )}
        <p class="hint">
          <T>Whoever knows it can send texts to {{ people: told.join(', ') }}, and to nobody else.</T>
        </p>
      </section>
      <SenderSteps url={shownUrl} mailAddress={mailAddress} />
      <FirstAlert webhook={webhook} />
      <p>
        <button type="button" onClick={() => leaveNewAddress(webhook.id)}>
          {isCopied ? t('Show the webhook') : t('I have the address: show the webhook')}
        </button>
      </p>
    </>
  )
}
