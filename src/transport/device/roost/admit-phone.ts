/** Decides whether a request for a device socket comes from a paired phone. */

import type { HttpResponse } from 'uWebSockets.js'
import { DEVICE_SUBPROTOCOL } from '#contracts/device-frames.ts'
import type { DeviceIdentity, PrincipalReader } from '#domain/account/principal.ts'
import { capabilitiesOf } from '#domain/device/capabilities.ts'
import { gatewayStopping, invalid, limitReached, noDevices, Problem } from '#domain/problem.ts'
import { isFromElsewhere } from '#transport/device/is-from-elsewhere.ts'
import { bearerOf, hashOf } from '#transport/http/authenticate.ts'
import { countStranger, type StrangerPorts } from '#transport/http/count-call.ts'

export interface AdmissionPorts extends StrangerPorts {
  readonly reader: PrincipalReader
  readonly draining: () => boolean
}

type Headers = Readonly<Record<string, string>>

/**
 * The device of the token. @throws Problem: stopping, too many wrong tokens, wrong protocol, wrong token
 */
export function admitPhone(ports: AdmissionPorts, res: HttpResponse, headers: Headers): DeviceIdentity {
  if (ports.draining()) throw gatewayStopping()
  const token = bearerOf(headers['authorization'])
  const identity = token === null ? undefined : ports.reader.device(hashOf(token))
  // Phones without the `begin` step use other routes.
  if (identity === undefined || !capabilitiesOf(identity.protocol).asksFirst) {
    const decision = countStranger(ports, res.getRemoteAddress(), headers)
    if (!decision.allowed) throw limitReached('too many wrong device tokens from this address', decision)
    if (isFromElsewhere(ports.reader, token)) throw noDevices()
    throw new Problem('UNAUTHORIZED', 'send a valid device token in the header Authorization: Bearer')
  }
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',')
  if (!protocols.some(protocol => protocol.trim() === DEVICE_SUBPROTOCOL))
    throw invalid([{ path: 'Sec-WebSocket-Protocol', message: `must be ${DEVICE_SUBPROTOCOL}` }])
  return identity
}
