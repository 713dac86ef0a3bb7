import { useEffect, useState } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Field } from '#console/parts/basics.tsx'
import { Bubble, SegmentCount } from '#console/parts/bubble.tsx'
import { Tabs } from '#console/parts/tabs.tsx'
import { TemplateTrial } from '#console/parts/template-trial.tsx'
import { usePreview } from '#console/parts/use-preview.ts'
import { RECIPES } from '#console/senders.ts'
import { useResource } from '#console/use-resource.ts'
import type { WebhookTriggers } from '#contracts/seen-trigger.ts'

const FORMATS: Readonly<Record<string, string>> = {
  template: t('your own words'),
  'uptime-monitor': t('Recognised as an uptime monitor'),
  'alert-manager': t('Recognised as an alert manager'),
  dashboard: t('Recognised as a dashboard'),
  generic: t('made from well-known fields'),
  digest: t('made from all fields'),
}

interface PreviewProps {
  readonly webhookId: string | null
  readonly template: string
  readonly onPath: (path: string) => void
}

const LAST = t('Last real alert')
/** From this width on, the preview is beside the form. Otherwise it is above, with folded examples. */
const BESIDE = '(min-width: 73rem)'

/** A sender's body, and the text that it becomes, updated while a person types. */
export function Preview({ webhookId, template, onPath }: PreviewProps) {
  const path = webhookId === null ? null : `webhooks/${webhookId}/triggers`
  const { data: last } = useResource<WebhookTriggers>(path, ['webhook'])
  const [name, setName] = useState(RECIPES[0]?.name ?? '')
  const [isUp, setUp] = useState(false)
  const sender = RECIPES.find(one => one.name === name)
  const [body, setBody] = useState(sender?.down ?? '')
  // The page of a webhook is read more often than its words are changed.
  const [isOpen] = useState(() => webhookId === null && matchMedia(BESIDE).matches)
  const show = (next: string, up: boolean) => {
    const chosen = RECIPES.find(one => one.name === next)
    setName(next)
    setUp(up)
    setBody((up ? chosen?.up : chosen?.down) ?? last?.lastBody ?? '')
  }
  const hasReal = last?.lastBody != null
  useEffect(() => {
    // The real alert first, as soon as it is known.
    if (hasReal) show(LAST, false)
  }, [hasReal])
  const { text, fault } = usePreview({
    messageTemplate: template === '' ? null : template,
    body,
    contentType: (sender === undefined ? last?.lastContentType : sender.contentType) ?? 'text/plain',
    webhookId,
  })
  // The list of its last alerts says how the last one reads.
  const isSaid = name === LAST && template === ''
  return (
    <section aria-label={t('Preview')} class="try">
      <div class="preview">
        {!isSaid && (
          <>
            <p class="hint">
              {name === LAST ? t('This is how its last alert reads:') : t('This is how an alert will read:')}
            </p>
            <Bubble text={text?.message ?? '…'} side="in" />
            {text !== null && <SegmentCount text={text.message} />}
            {text !== null && <p class="hint">{FORMATS[text.format] ?? text.format}</p>}
          </>
        )}
        {fault !== '' && <p class="issue">{fault}</p>}
        {webhookId !== null && last !== undefined && (
          <TemplateTrial webhookId={webhookId} template={template} triggers={last.triggers} />
        )}
      </div>
      <details open={isOpen}>
        <summary>{t('Try it with other alerts')}</summary>
        <Tabs
          label={t('Example of a sender')}
          value={name}
          onValue={next => show(next, isUp)}
          options={[
            ...(last?.lastBody == null ? [] : [[LAST, LAST] as const]),
            ...RECIPES.map(one => [one.name, one.name] as const),
          ]}
        />
        {sender !== undefined && (
          <Tabs
            label={t('Which alert')}
            value={isUp ? 'up' : 'down'}
            onValue={next => show(name, next === 'up')}
            options={[
              ['down', t('Down')],
              ['up', t('Up again')],
            ]}
          />
        )}
        <Field
          label={t('What it posts')}
          rows={8}
          mono
          value={body}
          onValue={setBody}
          hint={t('Change it, and the text changes with it')}
        />
        <Paths key={name} body={body} isOpen={name === LAST} onPath={onPath} />
      </details>
    </section>
  )
}

interface PathsProps {
  readonly body: string
  readonly isOpen: boolean
  readonly onPath: (path: string) => void
}

/** The values of a body. A click on one inserts its path into the template. */
function Paths({ body, isOpen, onPath }: PathsProps) {
  const paths = pathsOf(body)
  if (paths.length === 0) return null
  return (
    <details open={isOpen}>
      <summary>{t('Use a value in your own words')}</summary>
      <div class="tabs">
        {paths.map(([path, value]) => (
          <button key={path} type="button" onClick={() => onPath(path)}>
            {path}: {value}
          </button>
        ))}
      </div>
    </details>
  )
}

const PATHS_MAX = 24

function pathsOf(body: string): readonly (readonly [path: string, value: string])[] {
  const found: [string, string][] = []
  const visit = (value: unknown, path: string) => {
    if (found.length >= PATHS_MAX) return
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) visit(inner, path === '' ? key : `${path}.${key}`)
    else if (path !== '') found.push([path, String(value).slice(0, 24)])
  }
  try {
    visit(JSON.parse(body), '')
  } catch {
    return []
  }
  return found
}
