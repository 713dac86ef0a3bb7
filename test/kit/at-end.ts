/**
 * What runs once all tests of a process are over. Node's `after` belongs to the suite in which it is called,
 * so a group of files imports this one first, outside of any suite. What is added while tests run comes after
 * the hooks that a file declares, which may still need it.
 */
import { AsyncResource } from 'node:async_hooks'
import { after } from 'node:test'

export const atEnd = AsyncResource.bind((end: () => unknown) => after(() => end()))
