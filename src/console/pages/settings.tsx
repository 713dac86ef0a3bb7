import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '#console/language.ts'
import { Audit } from '#console/pages/audit.tsx'
import { Users } from '#console/pages/users.tsx'
import { Choice, PageHead, Tick } from '#console/parts/basics.tsx'
import { LanguageChoice } from '#console/parts/language-choice.tsx'
import { AccountAndLogins } from '#console/parts/settings-account.tsx'
import { Cluster } from '#console/parts/settings-cluster.tsx'
import { Alarms, Backup } from '#console/parts/settings-config.tsx'
import { Gateway, Plan } from '#console/parts/settings-gateway.tsx'
import { Keys } from '#console/parts/settings-keys.tsx'
import { areShortcutsOn, switchShortcuts } from '#console/parts/shortcut-keys.tsx'
import { chooseScheme, scheme } from '#console/scheme.ts'
import { may } from '#console/session.ts'

/** A part: what follows `#/` in its address, its word, what it is about, what it shows. */
type Part = readonly [path: string, word: string, about: string, content: ComponentType]

/** What a screen with room for the menu and a part shows first. */
const FIRST: Part = [
  'settings/account',
  t('Account and logins'),
  t('E-mail, password, where you are logged in'),
  AccountAndLogins,
]
const GROUPS: readonly (readonly [heading: string, parts: readonly Part[]])[] = [
  [
    t('You'),
    [FIRST, ['settings/browser', t('This browser'), t('Appearance, language and shortcuts'), InThisBrowser]],
  ],
  [
    t('Access'),
    [
      ['users', t('Users'), t('Who may log in, and what they may do'), Users],
      ['settings/keys', t('Keys for programs'), t('What scripts and monitors send with'), Keys],
      ['audit', t('Who did what'), t('Every change, for 400 days'), Audit],
    ],
  ],
  [
    t('Gateway'),
    [
      ['settings/gateway', t('Address and version'), t('Also its clock and its API'), Gateway],
      ['settings/plan', t('What you may send'), t('Texts and codes a day'), Plan],
      ['settings/backup', t('Backup'), t('A copy of everything, each night'), Backup],
      ['settings/alarms', t('Alarms'), t('Who hears when something is wrong'), Alarms],
      ['settings/cluster', t('Cluster'), t('Several gateways with one queue'), Cluster],
    ],
  ],
]
/** These are the owner's. */
const OWN: readonly string[] = ['users', 'settings/keys', 'audit', 'settings/backup', 'settings/alarms']
function isMine(path: string): boolean {
  return may('owner') || !OWN.includes(path)
}

const ROOM_FOR_BOTH = matchMedia('(min-width: 64rem)')

/** The menu of the settings, and a part of them. `path` `settings`: on a narrow screen the menu alone. */
export function SettingsPage({ path }: { path: string }) {
  const isMenu = path === 'settings'
  useEffect(() => {
    if (isMenu && ROOM_FOR_BOTH.matches) location.replace(`#/${FIRST[0]}`)
  }, [isMenu])
  const parts = GROUPS.flatMap(([, inside]) => inside)
  const [here, word, , Content] = parts.find(([one]) => one === path && isMine(one)) ?? FIRST
  return (
    <>
      {isMenu && <PageHead title={t('Settings')} />}
      <div class={`parts ${isMenu ? 'is-menu' : ''}`}>
        <nav class="part-menu" aria-label={t('Parts of the settings')}>
          {GROUPS.map(([heading, inside]) => (
            <div key={heading}>
              <p>{heading}</p>
              {inside
                .filter(([one]) => isMine(one))
                .map(([one, name, about]) => (
                  <a key={one} href={`#/${one}`} aria-current={one === here && !isMenu ? 'page' : undefined}>
                    <strong>{name}</strong>
                    <span>{about}</span>
                  </a>
                ))}
            </div>
          ))}
        </nav>
        {!isMenu && (
          <div class="part">
            <PageHead title={word} />
            <Content />
          </div>
        )}
      </div>
    </>
  )
}

function InThisBrowser() {
  return (
    <section class="card fields" aria-label={t('This browser')}>
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
