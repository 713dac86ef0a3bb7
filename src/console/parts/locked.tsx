import type { ComponentChildren } from 'preact'
import { t } from '#console/language.ts'
import { Empty, PageHead } from '#console/parts/basics.tsx'
import { may } from '#console/session-of-reader.ts'
import type { Role } from '#contracts/user.ts'

interface LockedProps {
  /** The least role that may change the fields. */
  readonly to: Role
  readonly children: ComponentChildren
}

/** Fields that a lesser role can read but not change. Buttons are then left out (styles.css). */
export function Locked({ to, children }: LockedProps) {
  return (
    <fieldset class="locked" disabled={!may(to)}>
      {children}
    </fieldset>
  )
}

/** In place of a page that is not for the role of the person. */
export function NotYours({ needed }: { needed: Role }) {
  return (
    <>
      <PageHead title={t('Not for your role')} />
      <Empty title={t('This page needs the role {needed}', { needed })}>
        <p>{t('Ask an owner of this gateway if you need it.')}</p>
        <a class="button" href="#/">
          {t('Go to Home')}
        </a>
      </Empty>
    </>
  )
}
