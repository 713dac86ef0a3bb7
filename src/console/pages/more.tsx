import type { ComponentChildren } from 'preact'
import { t } from '#console/language.ts'
import { PageHead } from '#console/parts/basics.tsx'
import { type Entry, GROUPS, HANDBOOK, Icon, IN_BAR, own, SETTINGS } from '#console/parts/navigation.tsx'
import { logOut } from '#console/session-of-reader.ts'

/** What the bar of a narrow screen has no room for. */
export function MorePage() {
  return (
    <>
      <PageHead title={t('More')} />
      {GROUPS.map(([heading, entries]) => (
        <MoreEntries key={heading} heading={heading} entries={own(entries)} />
      ))}
      <MoreEntries heading={null} entries={[SETTINGS]}>
        <li>
          <a class="with-icon" href="handbook" target="_blank" rel="noopener">
            <Icon path={HANDBOOK} />
            <strong>{t('Handbook')}</strong>
          </a>
        </li>
      </MoreEntries>
      <button type="button" class="log-out" onClick={() => void logOut()}>
        {t('Log out')}
      </button>
    </>
  )
}

interface MoreEntriesProps {
  readonly heading: string | null
  readonly entries: readonly Entry[]
  readonly children?: ComponentChildren
}

function MoreEntries({ heading, entries, children }: MoreEntriesProps) {
  return (
    <>
      {heading !== null && <h2>{heading}</h2>}
      <ul class="list">
        {entries
          .filter(([target]) => !IN_BAR.includes(target))
          .map(([target, word, icon]) => (
            <li key={target}>
              <a class="with-icon" href={`#/${target}`}>
                <Icon path={icon} />
                <strong>{word}</strong>
              </a>
            </li>
          ))}
        {children}
      </ul>
    </>
  )
}
