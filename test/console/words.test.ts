import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { LANGUAGES } from '#contracts/words.ts'
import { readConsoleAndTexts, sentencesOf, unwrappedOf } from '#test/kit/sentences.ts'

const FOLDER = 'src/contracts/languages'
/** Files whose sentences are not translated yet. */
const NOT_YET: readonly string[] = [
  'configuration to',
  '            or set public_url to the address of your proxy',
  '            received it.',
  '            secret, in hexadecimal.',
  '          a minute, so wait a minute and press again.',
  '          nobody else.',
  '          people.',
  '          public_url in the configuration to the right one.',
  '          real phone would send.',
  '          them. Ctrl+C ends it.',
  '        above are those of your browser.',
  '        before you open its link. Roost does not open it by itself.',
  '        of the plan',
  '        text',
  '        their address. The texts themselves are under',
  '        whether Termux',
  '        within',
  '      newer.',
  'src/console/app.tsx',
  'src/console/pages/conversation.tsx',
  'src/console/pages/delivery.tsx',
  'src/console/pages/devices.tsx',
  'src/console/pages/group.tsx',
  'src/console/pages/home.tsx',
  'src/console/pages/message.tsx',
  'src/console/pages/messages.tsx',
  'src/console/pages/notifications.tsx',
  'src/console/pages/on-call.tsx',
  'src/console/pages/pair.tsx',
  'src/console/pages/person.tsx',
  'src/console/pages/policy.tsx',
  'src/console/pages/received.tsx',
  'src/console/pages/rota.tsx',
  'src/console/pages/settings.tsx',
  'src/console/pages/webhook.tsx',
  'src/console/pages/webhooks.tsx',
  'src/console/pages/write.tsx',
  'src/console/parts/add-smsgate.tsx',
  'src/console/parts/basics.tsx',
  'src/console/parts/bubble.tsx',
  'src/console/parts/confirmation.tsx',
  'src/console/parts/danger.tsx',
  'src/console/parts/delivery-lines.tsx',
  'src/console/parts/device-line.tsx',
  'src/console/parts/first-alert.tsx',
  'src/console/parts/first-steps.tsx',
  'src/console/parts/incident-card.tsx',
  'src/console/parts/members.tsx',
  'src/console/parts/message-lines.tsx',
  'src/console/parts/message-dialog.tsx',
  'src/console/parts/more-fields.tsx',
  'src/console/parts/notification-form.tsx',
  'src/console/parts/pairing-steps.tsx',
  'src/console/parts/plots.tsx',
  'src/console/parts/preview.tsx',
  'src/console/parts/recent-numbers.tsx',
  'src/console/parts/remove-phone.tsx',
  'src/console/parts/replay-all.tsx',
  'src/console/parts/sender-steps.tsx',
  'src/console/parts/settings-account.tsx',
  'src/console/parts/settings-gateway.tsx',
  'src/console/parts/settings-keys.tsx',
  'src/console/parts/settle-reading.tsx',
  'src/console/parts/shortcut-keys.tsx',
  'src/console/parts/show-more.tsx',
  'src/console/parts/step-fields.tsx',
  'src/console/parts/triggers.tsx',
  'src/console/parts/webhook-form.tsx',
  'src/console/parts/webhook-test.tsx',
]

const sources = readConsoleAndTexts('.')
const used = sources.flatMap(sentencesOf)

describe('the words of the console and of texts', () => {
  test('are wrapped, so that they can be said in another language', () => {
    const console = sources.filter(({ path }) => path.startsWith('src/console/') && !NOT_YET.includes(path))
    assert.deepEqual(console.flatMap(unwrappedOf), [])
    assert.deepEqual(
      used.filter(({ english }) => english === null),
      [],
      'write the sentence out, with its values in braces',
    )
  })

  test('there is a file for each language', () => {
    const tags = Object.keys(LANGUAGES).filter(tag => tag !== 'en')
    assert.deepEqual(
      readdirSync(FOLDER),
      tags.map(tag => `${tag}.json`),
    )
  })

  for (const file of readdirSync(FOLDER)) {
    const words: Record<string, string> = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8'))
    const keys = Object.keys(words)

    test(`${file} has every sentence, in the order of the English ones, and no other`, () => {
      const wanted = [...new Set(used.map(({ english }) => english))].sort()
      const missing = wanted.filter(english => english !== null && words[english] === undefined)
      assert.deepEqual(missing, [], `translate these in ${FOLDER}/${file}`)
      const unused = keys.filter(english => !wanted.includes(english))
      assert.deepEqual(unused, [], `remove these from ${FOLDER}/${file}`)
      assert.deepEqual(keys, [...keys].sort(), 'sort the sentences, so that merges stay easy')
    })

    test(`${file} has the same values and elements as the English sentences`, () => {
      const partsOf = (text: string) => [...new Set(text.match(/\{\w+\}|<\d+\/?>/g) ?? [])].sort()
      const different = keys.filter(
        english => JSON.stringify(partsOf(english)) !== JSON.stringify(partsOf(words[english] ?? '')),
      )
      assert.deepEqual(different, [])
    })
  }
})
