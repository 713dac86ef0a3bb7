import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fallbackText } from '#domain/alert/fallback-text.ts'
import { triggerRequest } from '#test/kit/alert-payloads.ts'

test("an alert that could not be rendered becomes the webhook's name and the raw request", () => {
  const posted = triggerRequest({ body: '{"a":\n"disk\tfull"}' })
  assert.equal(fallbackText('NAS', posted), 'NAS: {"a": "disk full"}')
  assert.equal(fallbackText('NAS', triggerRequest({ method: 'GET', query: 'a=1&b=2' })), 'NAS: a=1 b=2')
  assert.equal(fallbackText('NAS', triggerRequest({})), 'NAS: ALERT')
  const mail = 'Date: Thu, 26 Nov 2026 17:39:52 +0000\r\nSubject: Toner low\r\nTo: a@b\r\n\r\nBuy some.\r\n'
  const mailed = {
    ...triggerRequest({}),
    contentType: 'message/rfc822',
    body: new TextEncoder().encode(mail),
  }
  assert.equal(fallbackText('Printer', mailed), 'Printer: Toner low: Buy some.')
})

test('the fallback text of any request is one line of 1 to 480 units', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 3000 }),
      fc.string({ maxLength: 80 }),
      fc.boolean(),
      (body, name, isMail) => {
        const contentType = isMail ? 'message/rfc822' : 'text/plain'
        const text = fallbackText(name, triggerRequest({ body, contentType }))
        assert.ok(text.length >= 1 && text.length <= 480)
        assert.ok(!/\p{Cc}/u.test(text) && text.isWellFormed())
      },
    ),
  )
})
