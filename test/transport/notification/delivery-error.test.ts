import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DELIVERY_ERRORS } from '#contracts/notification-attempt.ts'
import { DeliveryAbort, deliveryErrorOf } from '#transport/notification/delivery-error.ts'

const withCode = (code: string, cause?: unknown) => Object.assign(new Error('x', { cause }), { code })

test('each error code of Node, OpenSSL and undici becomes a code of the contract', () => {
  const table = {
    EAI_AGAIN: 'DNS',
    EHOSTUNREACH: 'UNREACHABLE',
    CERT_HAS_EXPIRED: 'TLS_EXPIRED',
    SELF_SIGNED_CERT_IN_CHAIN: 'TLS_UNTRUSTED',
    ERR_SSL_WRONG_VERSION_NUMBER: 'TLS',
    UND_ERR_DESTROYED: 'STOPPED',
    EPIPE: 'RESET',
    SOMETHING_NEW: 'OTHER',
  }
  for (const [code, expected] of Object.entries(table)) {
    const error = deliveryErrorOf(withCode(code))
    assert.equal(error, expected, code)
    assert.ok(DELIVERY_ERRORS.includes(error))
  }
})

test('an error without a code is classified by its cause', () => {
  assert.equal(deliveryErrorOf(new Error('outer', { cause: withCode('ECONNREFUSED') })), 'CONNECTION_REFUSED')
  assert.equal(deliveryErrorOf(withCode('UNKNOWN', withCode('EPROTO'))), 'TLS')
})

test('errors that the deliverer itself raises keep their code', () => {
  assert.equal(deliveryErrorOf(new DeliveryAbort('TIMEOUT')), 'TIMEOUT')
  assert.equal(deliveryErrorOf(new DeliveryAbort('STOPPED')), 'STOPPED')
})

test('a thrown value that is not an Error becomes OTHER', () => {
  assert.equal(deliveryErrorOf('text'), 'OTHER')
})
