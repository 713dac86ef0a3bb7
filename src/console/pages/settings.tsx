import { t } from '#console/language.ts'
import { Choice, PageHead, Tick } from '#console/parts/basics.tsx'
import { LanguageChoice } from '#console/parts/language-choice.tsx'
import { AccountAndLogins } from '#console/parts/settings-account.tsx'
import { Cluster } from '#console/parts/settings-cluster.tsx'
import { Gateway, Plan } from '#console/parts/settings-gateway.tsx'
import { Keys } from '#console/parts/settings-keys.tsx'
import { areShortcutsOn, switchShortcuts } from '#console/parts/shortcut-keys.tsx'
import { chooseScheme, scheme } from '#console/scheme.ts'
import { logOut, may } from '#console/session.ts'

/** The parts of the settings: what follows `#/settings/` in the address, its word, what it is about. */
const PARTS = [
  ['keys', t('Keys for programs'), t('What scripts and monitors send with'), Keys],
  ['plan', t('What you may send'), t('Texts and codes a day'), Plan],
  ['account', t('Account and logins'), t('E-mail, password, where you are logged in'), AccountAndLogins],
  ['gateway', t('Gateway'), t('Its address, version and API'), Gateway],
  ['cluster', t('Cluster'), t('Several gateways with one queue'), Cluster],
  ['browser', t('This browser'), t('Appearance and keys'), InThisBrowser],
] as const

/** Null: on a wide screen the first part, on a narrow one only the menu. */
export function SettingsPage({ part }: { part: string | null }) {
  // Keys are the owner's.
  const parts = PARTS.filter(([id]) => id !== 'keys' || may('owner'))
  const [, , , Part] = parts.find(([id]) => id === part) ?? parts[0] ?? PARTS[0]
  return (
    <>
      <PageHead title={t('Settings')}>
        <button type="button" onClick={() => void logOut()}>
          {t('Log out')}
        </button>
      </PageHead>
      <div class={`parts ${part === null ? 'is-menu' : ''}`}>
        <nav class="part-menu" aria-label={t('Parts of the settings')}>
          {parts.map(([id, word, about], index) => (
            <a
              key={id}
              href={`#/settings/${id}`}
              aria-current={id === part || (part === null && index === 0) ? 'page' : undefined}
            >
              <strong>{word}</strong>
              <span>{about}</span>
            </a>
          ))}
        </nav>
        <div class="part">
          <Part />
        </div>
      </div>
    </>
  )
}

function InThisBrowser() {
  return (
    <section class="card fields" aria-labelledby="browser">
      <h2 id="browser">{t('In this browser')}</h2>
      <Choice
        label={t('Appearance')}
        value={scheme.value}
        onValue={chooseScheme}
        options={[
          ['', t('As the system')],
          ['light', t('Light')],
          ['dark', t('Dark')],
        ]}
      />
      <LanguageChoice />
      <Tick
        label={t('Keyboard shortcuts (press ? for the list)')}
        checked={areShortcutsOn.value}
        onValue={switchShortcuts}
      />
    </section>
  )
}
