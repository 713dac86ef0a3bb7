import { useState } from 'preact/hooks'
import { ApiError, call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Tick } from '#console/parts/basics.tsx'
import { Danger } from '#console/parts/danger.tsx'
import { linkTo } from '#console/route.ts'
import { useResource } from '#console/use-resource.ts'
import { removalWords } from '#console/why-waits.ts'
import type { DeviceDetail, DeviceListItem } from '#contracts/device.ts'
import type { MessageResource } from '#contracts/message.ts'

interface RemovePhoneProps {
  readonly phone: DeviceDetail
  /** Cancels these texts, then removes the phone. */
  readonly onRemove: (cancelled: readonly MessageResource[]) => void
}

/** Removes a phone after its name has been typed. Offers to cancel the texts that wait for this phone. */
export function RemovePhone({ phone: { deviceId, name }, onRemove }: RemovePhoneProps) {
  const phones = useResource<readonly DeviceListItem[]>('devices', ['device'])
  const [cancels, setCancels] = useState(false)
  const hasOthers = phones.data === undefined || phones.data.length > 1
  // Without other phones, every waiting text is for this phone.
  const filter = hasOthers ? { deviceId } : {}
  const path = `sms?${new URLSearchParams({ status: 'queued', ...filter, limit: '50' })}`
  const waiting = useResource<readonly MessageResource[]>(phones.isLoading ? null : path, ['message'])
  const texts = waiting.data ?? []
  const hasMore = waiting.nextCursor !== null
  return (
    <Danger
      word={t('Remove phone')}
      typed={name}
      question={removalWords(texts.length, { hasMore, hasOthers })}
      onConfirm={() => onRemove(cancels && !hasMore ? texts : [])}
    >
      {texts.length > 0 && !hasMore && (
        <Tick
          label={t('Cancel this text too|Cancel these {count} texts too', { count: texts.length })}
          checked={cancels}
          onValue={setCancels}
        />
      )}
      {texts.length > 0 && (
        <p>
          <a href={linkTo('texts', { cut: 'waiting', ...filter })}>{t('Show what waits')}</a>
        </p>
      )}
    </Danger>
  )
}

/** Cancels texts that wait. A text that was sent or ended meanwhile is skipped. */
export async function cancelTexts(texts: readonly MessageResource[]): Promise<void> {
  for (const { messageId } of texts)
    await call('DELETE', `sms/${messageId}`).catch(refused => {
      if (!(refused instanceof ApiError && refused.status === 409)) throw refused
    })
}
