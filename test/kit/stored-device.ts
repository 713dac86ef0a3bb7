import type { Device } from '#domain/device/phone.ts'

/** A device as the database stores it, with changes by the test. */
export function storedDevice(different: Partial<Device> = {}): Device {
  return {
    id: 'dev_1',
    accountId: 'acc_1',
    name: 'Phone',
    protocol: 'roost',
    platform: null,
    appVersion: null,
    driver: null,
    sims: [],
    calls: null,
    receives: null,
    battery: null,
    charging: null,
    signal: null,
    paused: false,
    segmentsPerMinute: null,
    pairedAt: 0,
    lastSeenAt: 0,
    announcedOnline: true,
    sentDay: 0,
    sentCount: 0,
    smsPerDayMax: null,
    smsPerMonthMax: null,
    monthStartsOn: 1,
    segmentDays: [],
    phoneNumber: null,
    drill: null,
    proof: null,
    ...different,
  }
}
