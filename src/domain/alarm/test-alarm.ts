import { ALARM_TEXTS_PER_HOUR_MAX } from '#contracts/bounds.ts'
import type { CommandOutput } from '#contracts/commands.ts'
import { say, sentence } from '#contracts/words.ts'
import { sendToOwner, textsLeft, workingPhone } from '#domain/alarm/send-alarm-text.ts'
import { alarmRecipients } from '#domain/chosen-configuration.ts'
import { Problem } from '#domain/problem.ts'
import type { World } from '#domain/world.ts'

const TEXT = sentence('Roost: this is a test. Alarms of your SMS gateway reach you.')

/**
 * Sends a test text to every alarm recipient, in the same way as an alarm.
 *
 * @throws Problem CONFLICT (no recipient is configured), NO_DEVICE_AVAILABLE, RATE_LIMIT_EXCEEDED
 */
export function testAlarm(world: World): CommandOutput<'alarm.test'> {
  const recipients = alarmRecipients(world)
  if (recipients.length === 0)
    throw new Problem(
      'CONFLICT',
      'no alarm recipients are configured: add phone numbers to the configuration, such as ' +
        '[alarms] recipients = ["+14155550123"], then reload or restart the gateway; or add them in the ' +
        'settings of the console',
    )
  const left = textsLeft(world)
  if (left < recipients.length)
    throw new Problem(
      'RATE_LIMIT_EXCEEDED',
      `only ${left} of the ${ALARM_TEXTS_PER_HOUR_MAX} alarm texts per hour are left, and the test needs ` +
        `${recipients.length}: try again later`,
      { limit: ALARM_TEXTS_PER_HOUR_MAX, used: ALARM_TEXTS_PER_HOUR_MAX - left, retryAfterS: 3600 },
    )
  const phone = workingPhone(world)
  if (phone === null)
    throw new Problem(
      'NO_DEVICE_AVAILABLE',
      'no phone can send: connect one (roost device list shows your phones)',
      {
        retryAfterS: 30,
      },
    )
  const messageIds = sendToOwner(world, { text: say(world.settings.language, TEXT), recipients, phone })
  return {
    phone: phone.device.name,
    messages: messageIds.map((messageId, index) => ({
      messageId,
      phoneNumber: recipients[index]?.phoneNumber ?? '',
    })),
  }
}
