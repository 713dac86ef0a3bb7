import { useEffect, useState } from 'preact/hooks'
import { call, errorOf } from '#console/api.ts'
import { Choice, Fault, Field, Tabs, Tick } from '#console/parts/basics.tsx'
import { Bubble, SegmentCount } from '#console/parts/bubble.tsx'
import { SENDERS } from '#console/senders.ts'
import { type Action, useResource } from '#console/use-resource.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

export interface Draft {
  readonly name: string
  readonly recipients: string
  readonly maxPerHour: string
  readonly messageTemplate: string
  readonly allowedIps: string
  readonly deviceId: string
  readonly enabled: boolean
}

export function draftOf(webhook: WebhookResource | null): Draft {
  return {
    name: webhook?.name ?? '',
    recipients: webhook?.recipients.join('\n') ?? '',
    maxPerHour: String(webhook?.maxPerHour ?? 20),
    messageTemplate: webhook?.messageTemplate ?? '',
    allowedIps: webhook?.allowedIps.join('\n') ?? '',
    deviceId: webhook?.deviceId ?? '',
    enabled: webhook?.enabled ?? true,
  }
}

interface WebhookFormProps {
  readonly start: Draft
  readonly word: string
  readonly action: Action
  readonly onSave: (draft: Draft) => Promise<boolean>
}

const PREVIEW_AFTER_MS = 250
const FORMATS: Readonly<Record<string, string>> = {
  template: 'your own words',
  'uptime-monitor': 'recognised as an uptime monitor',
  'alert-manager': 'recognised as an alert manager',
  dashboard: 'recognised as a dashboard',
  generic: 'read by its usual fields',
  digest: 'made of all its fields',
}

export function WebhookForm({ start, word, action, onSave }: WebhookFormProps) {
  const [draft, setDraft] = useState(start)
  const [isSaved, setSaved] = useState(false)
  const devices = useResource<readonly DeviceListItem[]>('devices', [])
  const set = (change: Partial<Draft>) => {
    setSaved(false)
    setDraft({ ...draft, ...change })
  }
  const { error } = action
  return (
    <div class="editor">
      <Preview
        template={draft.messageTemplate}
        onPath={path => set({ messageTemplate: `${draft.messageTemplate}{{${path}}}` })}
      />
      <form
        class="card"
        onSubmit={event => {
          event.preventDefault()
          void onSave(draft).then(setSaved)
        }}
      >
        <Field
          label="Name"
          required
          value={draft.name}
          onValue={name => set({ name })}
          placeholder="Uptime Kuma"
          issue={error?.issueOf('name')}
        />
        <Field
          label="Who gets the texts"
          rows={2}
          required
          value={draft.recipients}
          onValue={recipients => set({ recipients })}
          placeholder="+14155550123"
          hint="Numbers with + and the country code, one a line"
          issue={error?.issueOf('recipients')}
        />
        <Field
          label="Own words"
          rows={2}
          value={draft.messageTemplate}
          onValue={messageTemplate => set({ messageTemplate })}
          hint="Empty: Roost makes a short text. {{monitor.name}} stands for a value of what is posted."
          issue={error?.issueOf('messageTemplate')}
        />
        <Field
          label="At most, texts an hour"
          type="number"
          min={1}
          max={1000}
          value={draft.maxPerHour}
          onValue={maxPerHour => set({ maxPerHour })}
          issue={error?.issueOf('maxPerHour')}
        />
        <details open={draft.allowedIps !== '' || error?.issueOf('allowedIps') !== undefined}>
          <summary>More</summary>
          <Field
            label="Only from these addresses"
            rows={2}
            value={draft.allowedIps}
            onValue={allowedIps => set({ allowedIps })}
            hint="Like 192.168.1.20 or 192.168.1.0/24, one a line; empty: from anywhere"
            issue={error?.issueOf('allowedIps')}
          />
          <Choice
            label="Phone"
            value={draft.deviceId}
            onValue={deviceId => set({ deviceId })}
            options={[
              ['', 'Whichever can send it first'],
              ...(devices.data ?? []).map(one => [one.deviceId, one.name] as const),
            ]}
          />
        </details>
        <Tick
          label="On: what is posted becomes a text"
          checked={draft.enabled}
          onValue={enabled => set({ enabled })}
        />
        <Fault error={error} />
        <div class="row">
          <button type="submit" class="primary" disabled={action.busy}>
            {word}
          </button>
          <span role="status">{isSaved && 'Saved'}</span>
        </div>
      </form>
    </div>
  )
}

interface Previewed {
  readonly message: string
  readonly format: string
}

/** What a sender posts, and the text that it becomes, while one types. */
function Preview({ template, onPath }: { template: string; onPath: (path: string) => void }) {
  const [name, setName] = useState(SENDERS[0]?.name ?? '')
  const [isUp, setUp] = useState(false)
  const sender = SENDERS.find(one => one.name === name) ?? SENDERS[0]
  const [body, setBody] = useState(sender?.down ?? '')
  const [text, setText] = useState<Previewed | null>(null)
  const [fault, setFault] = useState('')
  const show = (next: string, up: boolean) => {
    const chosen = SENDERS.find(one => one.name === next)
    setName(next)
    setUp(up)
    setBody((up ? chosen?.up : chosen?.down) ?? '')
  }
  useEffect(() => {
    let isOld = false
    const timer = setTimeout(() => {
      const request = {
        messageTemplate: template === '' ? null : template,
        body,
        contentType: sender?.contentType ?? 'text/plain',
      }
      call<Previewed>('POST', 'webhooks/preview', request).then(
        found => {
          if (isOld) return
          setText(found)
          setFault('')
        },
        error => {
          if (!isOld) setFault(errorOf(error).message)
        },
      )
    }, PREVIEW_AFTER_MS)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [template, body, sender])
  return (
    <section aria-label="Preview" class="try">
      <div class="preview">
        <Bubble text={text?.message ?? '…'} side="in" />
        {text !== null && <SegmentCount text={text.message} />}
        {text !== null && <p class="hint">{FORMATS[text.format] ?? text.format}</p>}
        {fault !== '' && <p class="issue">{fault}</p>}
      </div>
      <Tabs
        label="What which sender posts"
        value={name}
        onValue={next => show(next, isUp)}
        options={SENDERS.map(one => [one.name, one.name] as const)}
      />
      <Tabs
        label="Which alert"
        value={isUp ? 'up' : 'down'}
        onValue={next => show(name, next === 'up')}
        options={[
          ['down', 'Down'],
          ['up', 'Up again'],
        ]}
      />
      <Field
        label="What it posts"
        rows={8}
        mono
        value={body}
        onValue={setBody}
        hint="Change it and see the text follow"
      />
      <Paths body={body} onPath={onPath} />
    </section>
  )
}

/** The values of a body: a press on one puts it into the own words. */
function Paths({ body, onPath }: { body: string; onPath: (path: string) => void }) {
  const paths = pathsOf(body)
  if (paths.length === 0) return null
  return (
    <details>
      <summary>Use a value in your own words</summary>
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
