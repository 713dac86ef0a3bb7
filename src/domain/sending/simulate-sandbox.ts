/**
 * Simulates a sandbox message: the same statuses in the same fields as a real one, without a phone. For four
 * numbers, the simulation fails in the ways that a client must handle.
 */
import { SANDBOX_STEP_MS } from '#contracts/bounds.ts'
import type { StatusChange } from '#domain/message/lifecycle.ts'
import { failure, type Message } from '#domain/message/message.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { Problem } from '#domain/problem.ts'
import { changeStatus } from '#domain/sending/change-status.ts'
import type { World } from '#domain/world.ts'

/** Numbers for which the sandbox simulates a failure. */
const SPECIAL_NUMBERS = {
  fails: '+15005550001',
  undelivered: '+15005550002',
  staysQueued: '+15005550003',
  unavailable: '+15005550004',
} as const

/** @throws Problem NO_DEVICE_AVAILABLE for the number that simulates this refusal */
export function refuseSandbox(input: { readonly phoneNumber: string }): null {
  if (input.phoneNumber === SPECIAL_NUMBERS.unavailable)
    throw new Problem('NO_DEVICE_AVAILABLE', 'the sandbox simulates a gateway without a connected phone', {
      retryAfterS: 30,
    })
  return null
}

/** Starts the simulation of a message. Its steps are deadlines. */
export function simulateMessage(world: Pick<World, 'deadlines' | 'now'>, open: OpenMessage): void {
  world.deadlines.add(world.now.monoMs + SANDBOX_STEP_MS, 'sandbox', open.id)
}

/** Takes the next step of the simulation. */
export function stepSandbox(world: World, open: OpenMessage): void {
  const message = world.messages.find(world.tx, open.id)
  if (message === undefined) return world.fleet.forget(open)
  if (message.phoneNumber === SPECIAL_NUMBERS.staysQueued) return
  const change = nextChange(message)
  if (change === null) return world.fleet.forget(open)
  const next = changeStatus(world, message, change)
  if (next.status === 'delivered' || next.status === 'failed') return world.fleet.forget(open)
  open.stage = next.status === 'queued' ? 'resting' : 'sending'
  world.deadlines.add(world.now.monoMs + SANDBOX_STEP_MS, 'sandbox', open.id)
}

function nextChange(message: Message): (StatusChange & { readonly fields?: { attempt: number } }) | null {
  switch (message.status) {
    case 'queued':
      return { status: 'sending', fields: { attempt: 1 } }
    case 'sending':
      if (message.phoneNumber !== SPECIAL_NUMBERS.fails) return { status: 'sent' }
      return {
        status: 'failed',
        failure: { code: 'RADIO_FAILURE', message: 'the sandbox simulates a phone that cannot send' },
      }
    case 'sent':
      if (message.phoneNumber !== SPECIAL_NUMBERS.undelivered) return { status: 'delivered' }
      return { status: 'failed', failure: failure('UNDELIVERED') }
    case 'delivered':
    case 'failed':
      return null
  }
}
