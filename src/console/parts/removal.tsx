import { t } from '#console/language.ts'
import { Fault } from '#console/parts/basics.tsx'
import { Danger } from '#console/parts/danger.tsx'
import { type Resource, useAction } from '#console/use-resource.ts'

interface RemovalProps {
  readonly what: string
  readonly resource: Pick<Resource<unknown>, 'remove'>
  /** The address of the page that follows. */
  readonly next?: string
  /** What happens then. */
  readonly question?: string
}

/** The button that removes what a page is about. */
export function Removal({ what, resource, next = '#/on-call', question }: RemovalProps) {
  const action = useAction()
  const confirm = () =>
    action.run(async () => {
      await resource.remove()
      location.hash = next
    })
  return (
    <div class="removal">
      <Danger
        word={t('Remove {what}', { what })}
        question={question ?? t('This {what} will be gone.', { what })}
        onConfirm={() => void confirm()}
      />
      <Fault error={action.error} />
    </div>
  )
}
