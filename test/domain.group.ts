/** The suites of `test/domain` in one process: the sources are loaded once for all of them. */
import { runFolder } from '#test/kit/run-folder.ts'

await runFolder('domain')
