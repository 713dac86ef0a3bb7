import type { PhoneFrame } from '#contracts/device-frames.ts'

/** The first frame of a phone that tells nothing about its SIM cards. */
export const HELLO: Extract<PhoneFrame, { type: 'hello' }> = {
  type: 'hello',
  protocol: 1,
  bootId: 'boot',
  appVersion: '1',
  platform: 'test',
  sims: [],
}
