import { useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Empty, Fault, Field, Loading, PageHead, When } from '#console/parts/basics.tsx'
import { Form } from '#console/parts/form.tsx'
import { PhoneNumber } from '#console/parts/phone-number.tsx'
import { ShowMore } from '#console/parts/show-more.tsx'
import { T } from '#console/parts/t.tsx'
import { linkTo } from '#console/route.ts'
import { may } from '#console/session-of-reader.ts'
import { usePages } from '#console/use-pages.ts'
import { usePersonNames } from '#console/use-person-names.ts'
import { useAction } from '#console/use-resource.ts'
import type { OptOutResource } from '#contracts/opt-out.ts'

/** The numbers that want no more texts. */
export function OptOutsPage() {
  const pages = usePages<OptOutResource>('opt-outs?limit=200', ['received'], one => one.phoneNumber)
  const { data, isLoading, error, reload } = pages.first
  const nameOf = usePersonNames(pages.rows.length > 0)
  const removal = useAction()
  const take = (number: string) =>
    removal.run(async () => {
      await call('DELETE', `opt-outs/${encodeURIComponent(number)}`)
      reload()
    })
  return (
    <>
      <PageHead title={t('No more texts')} />
      <p class="dim">
        {t('A number that answers STOP gets no more texts from people and programs. Alerts and codes go on.')}
      </p>
      <Fault error={error} retry={reload} />
      <Fault error={removal.error} />
      {isLoading && <Loading />}
      {data?.length === 0 && <Empty title={t('No number is on the list')} drawing="letter" />}
      {pages.rows.length > 0 && (
        <ul class="list users">
          {pages.rows.map(({ phoneNumber, since, by }) => (
            <li key={phoneNumber}>
              <div class="item">
                <p>
                  <a href={linkTo(`received/${encodeURIComponent(phoneNumber)}`)}>
                    {nameOf(phoneNumber) ?? <PhoneNumber number={phoneNumber} />}
                  </a>
                  <br />
                  <span class="dim">
                    {by === 'text' ? t('said STOP') : t('put here by hand')} · <When at={since} />
                  </span>
                </p>
                {may('operator') && (
                  <button type="button" disabled={removal.busy} onClick={() => void take(phoneNumber)}>
                    <T>
                      Allow texts again<span class="hidden"> {{ phoneNumber }}</span>
                    </T>
                  </button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      <ShowMore pages={pages} />
      {may('operator') && <AddNumber onAdded={reload} />}
    </>
  )
}

function AddNumber({ onAdded }: { onAdded: () => void }) {
  const [phoneNumber, setPhoneNumber] = useState('')
  const action = useAction()
  const send = () =>
    action.run(async () => {
      await call('POST', 'opt-outs', { phoneNumber })
      setPhoneNumber('')
      onAdded()
    })
  return (
    <Form action={action} send={send} fields={['phoneNumber']} word={t('Send it no more texts')}>
      <Field
        label={t('Phone number')}
        type="tel"
        required
        value={phoneNumber}
        onValue={setPhoneNumber}
        issue={action.error?.issueOf('phoneNumber')}
      />
    </Form>
  )
}
