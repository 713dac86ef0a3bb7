import { useEffect, useState } from 'preact/hooks'
import { urlOf } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Copyable, CopyButton } from '#console/parts/copyable.tsx'
import { T } from '#console/parts/t.tsx'
import { Tabs } from '#console/parts/tabs.tsx'
import { MAIL_RECIPE, RECIPES } from '#console/senders.ts'

const FIELDS = ['host=nas', 'service=backup', 'state=failed', "'message=disk full'"]
const FORM = FIELDS.map(one => `--data-urlencode ${one}`).join(' ')
const CURL = `curl -fsS --retry 5 --retry-connrefused --retry-max-time 120 -m 20 ${FORM}`

interface SenderStepsProps {
  readonly url: string
  /** Null: the webhook takes no mails. */
  readonly mailAddress: string | null
}

/** How to enter the address in the system that sends the alerts. */
export function SenderSteps({ url, mailAddress }: SenderStepsProps) {
  const [name, setName] = useState(RECIPES[0]?.name ?? '')
  const sender = RECIPES.find(one => one.name === name)
  const token = url.split('/').at(-1) ?? ''
  return (
    <section class="card">
      <h2>{t('2. Set up your sender')}</h2>
      <Tabs
        label={t('Sender')}
        value={name}
        onValue={setName}
        options={RECIPES.map(one => [one.name, one.name] as const)}
      />
      <ol>
        {sender?.steps.map(step => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {sender?.file !== undefined && (
        <p>
          <T>
            <a href={urlOf(`senders/${sender.file}?token=${token}`)} download>
              File for {{ name }}
            </a>
            , with the address in it
          </T>
        </p>
      )}
      {name === 'curl' && <Copyable text={`${CURL} '${url}'`} label={t('the command')} />}
      {name === MAIL_RECIPE && mailAddress !== null && (
        <>
          <MailSettings token={token} />
          <CopyButton text={mailAddress} label={t('the mail address')} />
        </>
      )}
    </section>
  )
}

/** What to type into devices that send mails. The gateway knows its name, its port, and the usual devices. */
function MailSettings({ token }: { token: string }) {
  const [text, setText] = useState('')
  useEffect(() => {
    void fetch(urlOf(`senders/mail?token=${token}`))
      .then(answer => answer.text())
      .catch(() => t('The gateway does not answer.'))
      .then(setText)
  }, [token])
  return <pre>{text}</pre>
}
