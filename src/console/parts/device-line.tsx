import { Mark, When } from '#console/parts/basics.tsx'
import { DEVICE_WORDS, signalBars } from '#console/words.ts'
import type { DeviceListItem } from '#contracts/device.ts'

export function DeviceStatus({ device }: { device: Pick<DeviceListItem, 'status' | 'paused'> }) {
  if (device.paused) return <Mark tone="wait" mark="❚❚" word="Paused" />
  const tone = device.status === 'offline' ? 'bad' : 'good'
  return (
    <Mark tone={tone} mark={device.status === 'offline' ? '○' : '●'} word={DEVICE_WORDS[device.status]} />
  )
}

export function batteryWords({ battery, charging }: Pick<DeviceListItem, 'battery' | 'charging'>): string {
  if (battery === null) return 'battery unknown'
  return `battery ${Math.round(battery)} %${charging === true ? ', charging' : ''}`
}

export function signalWords(signal: number | null): string {
  if (signal === null) return 'signal unknown'
  const bars = signalBars(signal)
  return `signal\u00a0${'▮'.repeat(bars)}${'▯'.repeat(4 - bars)}\u00a0${signal}\u00a0dBm`
}

export function DeviceLine({ device }: { device: DeviceListItem }) {
  const carrier = device.simInfo.carrier ?? 'SIM unknown'
  return (
    <li>
      <a href={`#/devices/${device.deviceId}`}>
        <strong>{device.name}</strong>
        <DeviceStatus device={device} />
        <span class="dim">
          {[carrier, batteryWords(device), signalWords(device.signal)].join(' · ')}
          {device.queueLength > 0 && ` · ${device.queueLength} waiting`}
        </span>
        <span class="dim end">
          {device.status === 'offline' ? (
            <>
              seen <When at={device.lastSeen} />
            </>
          ) : (
            `${device.smsToday} today`
          )}
        </span>
      </a>
    </li>
  )
}
