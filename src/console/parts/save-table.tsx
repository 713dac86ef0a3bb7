import { download } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Fault } from '#console/parts/basics.tsx'
import { useAction } from '#console/use-resource.ts'

/** Saves a whole list, or what its filters leave of it, as a table. `path`: of the API. */
export function SaveTable({ path, file }: { path: string; file: string }) {
  const { busy, error, run } = useAction()
  return (
    <>
      <Fault error={error} />
      <button type="button" disabled={busy} onClick={() => void run(() => download(path, file))}>
        {t('Save as a table')}
      </button>
    </>
  )
}
