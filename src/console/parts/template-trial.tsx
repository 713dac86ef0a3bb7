import { useEffect, useState } from 'preact/hooks'
import { call } from '#console/api.ts'
import type { Previewed } from '#console/parts/use-preview.ts'
import { trialWords } from '#console/template-trial.ts'
import type { SeenTriggerDetail, WebhookTriggers } from '#contracts/seen-trigger.ts'

const ALERTS_MAX = 3
/** Longer than the preview waits, because this asks for several texts. */
const AFTER_MS = 800

interface TemplateTrialProps {
  readonly webhookId: string
  readonly template: string
  readonly triggers: WebhookTriggers['triggers']
}

/** Warns when the owner's words would say nothing about the last real alerts. */
export function TemplateTrial({ webhookId, template, triggers }: TemplateTrialProps) {
  const [words, setWords] = useState<string | null>(null)
  const numbers = triggers
    .filter(({ format }) => format !== null)
    .slice(0, ALERTS_MAX)
    .map(({ seq }) => seq)
  useEffect(() => {
    setWords(null)
    if (template.trim() === '' || numbers.length === 0) return
    let isStale = false
    const timer = setTimeout(() => {
      textsOf(webhookId, numbers, template).then(
        texts => {
          if (!isStale) setWords(trialWords(texts))
        },
        () => {
          // The preview above says what is wrong with the words.
        },
      )
    }, AFTER_MS)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [template, numbers.join()])
  return words === null ? null : <p class="issue">{words}</p>
}

/** What the words make of these alerts, without those whose bodies are not kept. */
async function textsOf(webhookId: string, numbers: readonly number[], messageTemplate: string) {
  const texts = await Promise.all(
    numbers.map(async seq => {
      const { body, contentType } = await call<SeenTriggerDetail>(
        'GET',
        `webhooks/${webhookId}/triggers/${seq}`,
      )
      if (body === null) return null
      const request = { messageTemplate, body, contentType: contentType ?? 'text/plain', webhookId }
      return (await call<Previewed>('POST', 'webhooks/preview', request)).message
    }),
  )
  return texts.filter(text => text !== null)
}
