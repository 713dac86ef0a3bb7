/**
 * The corpus of alert payloads, rendered once for all tests of a process. While a body is rendered, the words
 * that are found in any table are counted, so that a test knows which bodies may need a word.
 */
import type { RenderedAlert } from '#contracts/alert-reading.ts'
import type { TriggerRequest } from '#contracts/webhook.ts'
import { renderAlert } from '#domain/alert/render-alert.ts'
import { type AlertCase, readAlertCases, requestOf } from '#test/kit/alert-payloads.ts'

export interface RenderedCase {
  /** The file of `payloads/` that has it. */
  readonly file: string
  readonly one: AlertCase
  readonly request: TriggerRequest
  readonly alert: RenderedAlert
  /** The keys that were found in maps and sets while it was rendered. */
  readonly found: ReadonlySet<string>
}

export const corpus: readonly RenderedCase[] = [...readAlertCases()].flatMap(([file, list]) =>
  list.map(one => {
    const request = requestOf(one)
    return { file, one, request, ...countFound(() => renderAlert(request, null)) }
  }),
)

/** Whether a body is rendered otherwise than in the corpus, because something was changed. */
export function isChanged({ request, alert }: RenderedCase): boolean {
  return JSON.stringify(renderAlert(request, null)) !== JSON.stringify(alert)
}

/** Notes each string that a map or a set has when it is asked for it, until `render` has ended. */
function countFound(render: () => RenderedAlert): Pick<RenderedCase, 'alert' | 'found'> {
  const { get, has } = Map.prototype
  const { has: contains } = Set.prototype
  const found: Record<string, true> = Object.create(null)
  const note = (key: unknown, isFound: boolean): void => {
    if (isFound && typeof key === 'string') found[key] = true
  }
  Map.prototype.get = function (key) {
    const value = get.call(this, key)
    note(key, value !== undefined)
    return value
  }
  Map.prototype.has = function (key) {
    const isFound = has.call(this, key)
    note(key, isFound)
    return isFound
  }
  Set.prototype.has = function (key) {
    const isFound = contains.call(this, key)
    note(key, isFound)
    return isFound
  }
  try {
    return { alert: render(), found: new Set(Object.keys(found)) }
  } finally {
    Object.assign(Map.prototype, { get, has })
    Set.prototype.has = contains
  }
}
