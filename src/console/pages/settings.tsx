import type { ComponentType } from 'preact'
import { t } from '#console/language.ts'
import { Audit } from '#console/pages/audit.tsx'
import { Users } from '#console/pages/users.tsx'
import { Choice, PageHead, Tick } from '#console/parts/basics.tsx'
import { LanguageChoice } from '#console/parts/language-choice.tsx'
import { AccountAndLogins } from '#console/parts/settings-account.tsx'
import { Alarms } from '#console/parts/settings-alarms.tsx'
import { Backup } from '#console/parts/settings-backup.tsx'
import { Cluster } from '#console/parts/settings-cluster.tsx'
import { Gateway, Plan } from '#console/parts/settings-gateway.tsx'
import { Keys } from '#console/parts/settings-keys.tsx'
import { type PartEntry, SettingsParts } from '#console/parts/settings-parts.tsx'
import { areShortcutsOn, switchShortcuts } from '#console/parts/shortcut-keys.tsx'
import { chooseScheme, scheme } from '#console/scheme.ts'
import { may } from '#console/session-of-reader.ts'

/** A part with what it shows. */
type Part = readonly [...entry: PartEntry, content: ComponentType]

/** What an address without a part of this role shows. */
const FIRST: Part = [
  'settings/account',
  t('Account and logins'),
  t('E-mail, password, where you are logged in'),
  'M12 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c0-5 3.5-7 8-7s8 2 8 7',
  AccountAndLogins,
]
const BROWSER: Part = [
  'settings/browser',
  t('This browser'),
  t('Appearance, language and shortcuts'),
  'M3 5h18v14H3zM3 9.5h18M6 7.25h.01',
  InThisBrowser,
]
const USERS: Part = [
  'users',
  t('Users'),
  t('Who may log in, and what they may do'),
  'M9 4a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.5a3.3 3.3 0 0 1 0 6' +
    'M18 14.5c2.3.8 3.5 2.7 3.5 5.5',
  Users,
]
const KEYS: Part = [
  'settings/keys',
  t('Keys for programs'),
  t('What scripts and monitors send with'),
  'M8 11a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 12l8-8M16 7l3 3',
  Keys,
]
const AUDIT: Part = [
  'audit',
  t('Who did what'),
  t('Every change, for 400 days'),
  'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 7v5l3.5 2',
  Audit,
]
const GATEWAY: Part = [
  'settings/gateway',
  t('Address and version'),
  t('Also its clock and its API'),
  'M4 13h16v7H4zM7 16.5h.01M11 16.5h5M7 13V4',
  Gateway,
]
const PLAN: Part = [
  'settings/plan',
  t('What you may send'),
  t('Texts and codes a day'),
  'M5 20v-6M12 20V10M19 20V4',
  Plan,
]
const BACKUP: Part = [
  'settings/backup',
  t('Backup'),
  t('Where copies of everything go'),
  'M4 7c0-2 3.6-3 8-3s8 1 8 3-3.6 3-8 3-8-1-8-3z' +
    'M4 7v10c0 2 3.6 3 8 3s8-1 8-3V7M4 12c0 2 3.6 3 8 3s8-1 8-3',
  Backup,
]
const ALARMS: Part = [
  'settings/alarms',
  t('Alarms'),
  t('Who hears when something is wrong'),
  'M12 4l9 16H3zM12 10v4M12 17h.01',
  Alarms,
]
const CLUSTER: Part = [
  'settings/cluster',
  t('Cluster'),
  t('Several gateways with one queue'),
  'M12 3a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM5 16a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z' +
    'M19 16a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM11 8l-5 8M13 8l5 8M8 18.5h8',
  Cluster,
]
/** These are the owner's. */
const OWN: readonly Part[] = [USERS, KEYS, AUDIT, BACKUP, ALARMS]

type Group = readonly [heading: string, parts: readonly Part[]]
/** The groups of parts, in two columns. */
function columnsForMe(): readonly (readonly Group[])[] {
  const mine = (parts: readonly Part[]) => parts.filter(one => may('owner') || !OWN.includes(one))
  const columns: readonly (readonly Group[])[] = [
    [
      [t('You'), [FIRST, BROWSER]],
      [t('Access'), mine([USERS, KEYS, AUDIT])],
    ],
    [[t('Gateway'), mine([GATEWAY, PLAN, BACKUP, ALARMS, CLUSTER])]],
  ]
  return columns.map(groups => groups.filter(([, parts]) => parts.length > 0))
}

/** The settings. `path` `settings`: all parts with their states; otherwise one, with a menu beside it. */
export function SettingsPage({ path }: { path: string }) {
  const columns = columnsForMe()
  if (path === 'settings')
    return (
      <>
        <PageHead title={t('Settings')} />
        <SettingsParts columns={columns} />
      </>
    )
  const groups = columns.flat()
  const [here, word, , , Content] =
    groups.flatMap(([, parts]) => parts).find(([one]) => one === path) ?? FIRST
  return (
    <div class="parts">
      <nav class="part-menu" aria-label={t('Parts of the settings')}>
        {groups.map(([heading, parts]) => (
          <div key={heading}>
            <p>{heading}</p>
            {parts.map(([one, name]) => (
              <a key={one} href={`#/${one}`} aria-current={one === here ? 'page' : undefined}>
                {name}
              </a>
            ))}
          </div>
        ))}
      </nav>
      <div class="part">
        <PageHead title={word} />
        <Content />
      </div>
    </div>
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
