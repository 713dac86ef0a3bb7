import type { ComponentChildren } from 'preact'
import { isOpen } from '#console/shown.ts'

/** A line of a list that opens an entry. It is marked while the entry is open beside the list. */
export function EntryLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a href={href} aria-current={isOpen(href) ? 'true' : undefined}>
      {children}
    </a>
  )
}
