import type { ForwardKind } from '#contracts/forward.ts'
import type { Issue } from '#contracts/problem.ts'
import type { Adapter, Forward } from '#domain/forward/forward.ts'
import { discord } from '#domain/forward/kinds/discord.ts'
import { email } from '#domain/forward/kinds/email.ts'
import { gotify } from '#domain/forward/kinds/gotify.ts'
import { matrix } from '#domain/forward/kinds/matrix.ts'
import { ntfy } from '#domain/forward/kinds/ntfy.ts'
import { slack } from '#domain/forward/kinds/slack.ts'
import { sms } from '#domain/forward/kinds/sms.ts'
import { telegram } from '#domain/forward/kinds/telegram.ts'

export const ADAPTERS: Readonly<Record<ForwardKind, Adapter>> = {
  ntfy,
  gotify,
  telegram,
  matrix,
  slack,
  discord,
  email,
  sms,
}

type Settings = Pick<Forward, 'kind' | 'url' | 'target' | 'credential'>

/**
 * What the kind of a forward misses or does not know among its settings. `isPerson`: whether the account has
 * a person with this id.
 */
export function findForwardIssues(forward: Settings, isPerson: (id: string) => boolean): Issue[] {
  const { kind, target } = forward
  const adapter = ADAPTERS[kind]
  const issues = (['url', 'target', 'credential'] as const).flatMap(path => {
    if (adapter[path] === 'must' && forward[path] === null)
      return [{ path, message: `is needed for ${kind}` }]
    if (adapter[path] === 'no' && forward[path] !== null)
      return [{ path, message: `is not used by ${kind}: leave it out` }]
    return []
  })
  if (target === null) return issues
  const isNobody = kind === 'sms' && !isPerson(target)
  const fault = isNobody ? 'must be the id of a person of this account' : adapter.faultOfTarget?.(target)
  return fault == null ? issues : [...issues, { path: 'target', message: fault }]
}

/** The pause that a service asks for in the body of its answer, milliseconds; null: none that can be read. */
export function readPause(kind: ForwardKind, answer: string): number | null {
  const { pauseMs } = ADAPTERS[kind]
  if (pauseMs === undefined) return null
  try {
    const ms = Number(pauseMs(Object(JSON.parse(answer))))
    return Number.isFinite(ms) && ms >= 0 ? ms : null
  } catch {
    return null
  }
}
