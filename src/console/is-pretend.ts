import { t } from '#console/language.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import { PRETEND_DRIVER } from '#contracts/phone-orders.ts'

/** Whether this is a pretend phone: the driver `log` of the agent prints the texts in a terminal. */
export function isPretend({ driver }: Pick<DeviceListItem, 'driver'>): boolean {
  return driver === PRETEND_DRIVER
}

export const PRETEND_WORDS = t('It prints texts in its terminal. Nobody receives them.')
