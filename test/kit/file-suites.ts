/** Test files that share a process: each is a suite, so its hooks apply to it alone. */
import { AsyncResource } from 'node:async_hooks'
import { resolve } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import '#test/kit/at-end.ts'

let last = Promise.resolve()

/**
 * Declares the tests of a file as a suite. Files are loaded one after another: Node knows the suite of a test
 * by the asynchronous context that declares it, and files that wait for the same module would end up in one.
 */
export function suiteFrom(file: string): void {
  describe(file, () => {
    const load = AsyncResource.bind(async () => {
      await import(pathToFileURL(resolve(file)).href)
    })
    last = last.then(load, load)
    return last
  })
}
