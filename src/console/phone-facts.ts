/** What a phone reports about itself, in words. */

import { t } from '#console/language.ts'
import { signalBars } from '#console/words-of-states.ts'
import type { DeviceDetail, DeviceListItem } from '#contracts/device.ts'

type Reported = Pick<DeviceListItem, 'status' | 'simInfo' | 'battery' | 'charging' | 'signal'>

/** Null: the phone does not report its battery. An offline phone tells nothing about now. */
export function batteryWords({ status, battery, charging }: Omit<Reported, 'simInfo' | 'signal'>) {
  if (battery === null) return null
  if (status === 'offline') return t('{percent} % when last seen', { percent: Math.round(battery) })
  return charging === true
    ? t('{percent} %, charging', { percent: Math.round(battery) })
    : t('{percent} %', { percent: Math.round(battery) })
}

/** Null: the phone does not report its reception, or it is offline. */
export function signalWords({ status, signal }: Pick<Reported, 'status' | 'signal'>): string | null {
  if (signal === null || status === 'offline') return null
  return t('{bars} of 4, {signal} dBm', { bars: signalBars(signal), signal })
}

/** What the phone can do besides sending texts. */
export function abilityWords({ receives, calls }: Pick<DeviceListItem, 'receives' | 'calls'>): string {
  return [...(receives ? [t('receive texts')] : []), ...(calls ? [t('ring people')] : [])].join(', ')
}

/** Carrier, battery and signal in short; only what the phone reports. */
export function phoneFacts(device: Reported): readonly string[] {
  const battery = batteryWords(device)
  const { signal, status } = device
  return [
    ...(device.simInfo.carrier === null ? [] : [device.simInfo.carrier]),
    ...(battery === null ? [] : [t('battery {battery}', { battery })]),
    ...(signal === null || status === 'offline'
      ? []
      : [t('signal {bars} of 4', { bars: signalBars(signal) })]),
  ]
}

/** The program that connects the phone, with its version. The agent on a computer reports `node-linux`. */
export function appWords({ platform, appVersion }: Pick<DeviceDetail, 'platform' | 'appVersion'>): string {
  const app = platform?.startsWith('node-') ? 'roost agent' : platform
  return [app, appVersion].filter(Boolean).join(' ')
}
