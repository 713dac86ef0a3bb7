import { Choice, PageHead, Tick } from '#console/parts/basics.tsx'
import { LanguageChoice } from '#console/parts/language-choice.tsx'
import { AccountAndLogins } from '#console/parts/settings-account.tsx'
import { Gateway, Plan } from '#console/parts/settings-gateway.tsx'
import { Keys } from '#console/parts/settings-keys.tsx'
import { areShortcutsOn, switchShortcuts } from '#console/parts/shortcut-keys.tsx'
import { chooseScheme, scheme } from '#console/scheme.ts'
import { logOut, may } from '#console/session.ts'

/** The parts of the settings: what follows `#/settings/` in the address, its word, what it is about. */
const PARTS = [
  ['keys', 'Keys for programs', 'What scripts and monitors send with', Keys],
  ['plan', 'What you may send', 'Texts and codes a day', Plan],
  ['account', 'Account and logins', 'E-mail, password, where you are logged in', AccountAndLogins],
  ['gateway', 'Gateway', 'Its address, version and API', Gateway],
  ['browser', 'This browser', 'Appearance and keys', InThisBrowser],
] as const

/** Null: on a wide screen the first part, on a narrow one only the menu. */
export function SettingsPage({ part }: { part: string | null }) {
  const parts = PARTS.filter(([id]) => id !== 'keys' || may('owner'))
  const [, , , Part] = parts.find(([id]) => id === part) ?? parts[0] ?? PARTS[1]
  return (
    <>
      <PageHead title="Settings">
        <button type="button" onClick={() => void logOut()}>
          Log out
        </button>
      </PageHead>
      <div class={`parts ${part === null ? 'is-menu' : ''}`}>
        <nav class="part-menu" aria-label="Parts of the settings">
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
    <section class="card" aria-labelledby="browser">
      <h2 id="browser">In this browser</h2>
      <Choice
        label="Appearance"
        value={scheme.value}
        onValue={chooseScheme}
        options={[
          ['', 'As the system'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ]}
      />
      <LanguageChoice />
      <Tick
        label="Keyboard shortcuts (press ? for the list)"
        checked={areShortcutsOn.value}
        onValue={switchShortcuts}
      />
    </section>
  )
}
