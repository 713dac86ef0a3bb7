import { ForecastResource } from '#contracts/message.ts'
import type { Principal } from '#domain/account/principal.ts'
import type { MessageReader } from '#domain/message/message-reader.ts'
import { notFound } from '#domain/problem.ts'
import type { KnownRoute } from '#transport/http/known-routes.ts'
import { DEVICE_ID, MESSAGE_ID } from '#transport/http/openapi/example-values.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'

export const OF_MESSAGE = {
  messageId: { description: 'Id of the message, from the answer that accepted it.', example: MESSAGE_ID },
}

/** A key finds messages of its own mode, live or sandbox. A person finds both, as in lists. */
export function findFor({ accountId, by, test }: Principal, messages: MessageReader, id: string) {
  const found = messages.find(accountId, test, id)
  return found !== undefined || by === 'key' ? found : messages.find(accountId, !test, id)
}

type ForecastPorts = Pick<RoutePorts, 'writer' | 'messages' | 'searches'>

/** The route that says when a waiting message leaves. */
export function forecastRoute({ writer, messages, searches }: ForecastPorts): KnownRoute {
  return {
    method: 'get',
    path: '/api/v1/sms/{messageId}/forecast',
    operation: {
      id: 'forecastMessage',
      summary: 'When a waiting message is expected to leave',
      description:
        'Its place in the queue of its phone, and the time at the pace of this phone. It is computed for ' +
        'each call. 404: the account has no message with this id.',
      parameters: OF_MESSAGE,
      response: ForecastResource,
      example: {
        data: { waitsFor: 'turn', deviceId: DEVICE_ID, before: 331, leavesAt: '2026-01-31T12:17:00.000Z' },
      },
    },
    handle: async ({ principal, parameters }) => {
      const found = findFor(principal, messages, parameters[0] ?? '')
      if (found === undefined) throw notFound('message')
      const { accountId, test, id } = found
      const which = { accountId, test, messageId: id }
      return { data: await searches.take(accountId, () => writer.ask('message.forecast', which)) }
    },
  }
}
