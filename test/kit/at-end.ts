/**
 * What runs once all tests of a process are over. Node's `after` belongs to the suite in which it is called,
 * so a group of files imports this one first, outside of any suite.
 */
import { after } from 'node:test'

const waiting: (() => unknown)[] = []

export function atEnd(end: () => unknown): void {
  waiting.push(end)
}

after(async () => {
  for (const end of waiting.splice(0).reverse()) await end()
})
