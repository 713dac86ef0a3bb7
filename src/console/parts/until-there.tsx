import type { JSX } from 'preact'
import { Fault, Loading, PageHead } from '#console/parts/basics.tsx'
import type { Resource } from '#console/use-resource.ts'

/**
 * What a page shows until all of these are there. Null: they are; a path that is null counts as there.
 *
 * @param failedHeading the heading if one of them failed; by default the title
 */
export function untilThere(
  title: string,
  needed: readonly Pick<Resource<unknown>, 'isLoading' | 'data' | 'error' | 'reload'>[],
  failedHeading?: JSX.Element,
): JSX.Element | null {
  const failed = needed.find(({ data, error }) => data === undefined && error !== null)
  if (failed === undefined && !needed.some(({ isLoading }) => isLoading)) return null
  return (
    <>
      <PageHead title={title} heading={failed === undefined ? title : failedHeading} />
      {failed === undefined ? <Loading /> : <Fault error={failed.error} retry={failed.reload} />}
    </>
  )
}
