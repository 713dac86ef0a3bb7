import { useEffect, useState } from 'preact/hooks'
import { readStorage, writeStorage } from '#console/browser-storage.ts'
import { t } from '#console/language.ts'
import { Choice, Fault, Field, PageHead, Tick } from '#console/parts/basics.tsx'
import { SegmentCount } from '#console/parts/bubble.tsx'
import { PEOPLE_OPTIONS, PeopleOptions } from '#console/parts/people-options.tsx'
import { RecentNumbers } from '#console/parts/recent-numbers.tsx'
import { WaitingNotice } from '#console/parts/waiting-notice.tsx'
import { linkTo } from '#console/route.ts'
import { isSameName } from '#console/same-name.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import { useSend } from '#console/use-send.ts'
import { useTyped } from '#console/use-typed.ts'
import { numbersIn } from '#console/webhook-draft.ts'
import { whyWaits } from '#console/why-waits.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { PersonResource } from '#contracts/on-call.ts'

const LAST = 'roost last number'
/** The field of a send that takes a number which no rule knows. A refusal of such a number names it. */
const AS_IS = 'skipPhoneValidation'

/** What is wrong with a name in place of a number. Null: it is no name. */
function nameIssue(typed: string, called: number): string | null {
  if (called > 1) return t('Several people are called that. Choose one from the list, or type a number.')
  if (!/^[\p{L}\p{M}' .-]*\p{L}$/u.test(typed.trim())) return null
  return t('No person is called that. Type a name, or a number with + and the country code.')
}

/** The form for a new text. */
export function WritePage({ query }: { query: URLSearchParams }) {
  const start = {
    to: query.get('to') ?? readStorage(LAST) ?? '',
    text: query.get('text') ?? '',
    deviceId: '',
  }
  const [typed, setTyped, forget] = useTyped(`text ${query}`, start)
  const { to, text, deviceId } = typed
  const devices = useResource<readonly DeviceListItem[]>('devices', ['device'])
  const { busy, error, run } = useAction()
  const send = useSend()
  const waiting = devices.data === undefined ? null : whyWaits(devices.data, deviceId || null)
  const [isAsIs, setAsIs] = useState(false)
  const isUnknown = error?.issueOf('to')?.includes(AS_IS) === true
  const wasRefused = error?.code === 'NO_DEVICE_AVAILABLE'
  // The phone may have gone since the page was drawn, so ask for its state.
  useEffect(() => {
    if (wasRefused) devices.reload()
  }, [wasRefused])
  const people = useResource<readonly PersonResource[]>('people', [])
  const called = people.data?.filter(({ name }) => isSameName(name, to)) ?? []
  const [person, ...namesakes] = called
  const number = person !== undefined && namesakes.length === 0 ? person.phoneNumber : to.trim()
  const submit = () =>
    run(async () => {
      const sent = await send([number, text, deviceId, String(isAsIs)], {
        to: number,
        ...(isAsIs && { [AS_IS]: true }),
        message: text,
        deviceId: deviceId === '' ? null : deviceId,
        // Queue the text only if the page has said that it will wait.
        queueIfOffline: waiting !== null || wasRefused,
      })
      // As it was typed, because a number with spaces is easier to read.
      forget()
      writeStorage(LAST, person === undefined ? to.trim() : number)
      location.hash = linkTo(`texts/${sent.messageId}`, { sent: 'now' })
    })
  return (
    <>
      <PageHead title={t('Write a text')} />
      <form
        class="card"
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <Field
          label={t('To')}
          isFirst
          name="to"
          autoComplete="tel"
          required
          value={to}
          onValue={to => setTyped({ ...typed, to })}
          hint={
            person !== undefined && namesakes.length === 0
              ? t('Goes to {number}', { number })
              : t('A name, or a number with + and the country code, like +14155550123')
          }
          list={PEOPLE_OPTIONS}
          issue={
            error?.issueOf('to') && ((people.data && nameIssue(to, called.length)) ?? error.issueOf('to'))
          }
        />
        {(isUnknown || isAsIs) && (
          <Tick label={t('Send to this number as it is')} checked={isAsIs} onValue={setAsIs} />
        )}
        <PeopleOptions />
        <RecentNumbers without={numbersIn(to)} onChoose={to => setTyped({ ...typed, to })} />
        <Field
          label={t('Text')}
          rows={4}
          required
          value={text}
          onValue={text => setTyped({ ...typed, text })}
          issue={error?.issueOf('message')}
        />
        <SegmentCount text={text} />
        {(devices.data?.length ?? 0) > 1 && (
          <Choice
            label={t('Phone')}
            value={deviceId}
            onValue={deviceId => setTyped({ ...typed, deviceId })}
            options={[
              ['', t('Whichever can send it first')],
              ...(devices.data ?? []).map(one => [one.deviceId, one.name] as const),
            ]}
          />
        )}
        <WaitingNotice waiting={waiting} />
        {wasRefused ? (
          <div class="notice bad" role="alert">
            <p>{t('No phone is connected now. Send it once more, and the text waits for one.')}</p>
          </div>
        ) : (
          <Fault error={error} fields={['to', 'message']} />
        )}
        <button type="submit" class="primary" disabled={busy}>
          {t('Send text')}
        </button>
      </form>
    </>
  )
}
