import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runtimeFault } from '#app/runtime-fault.ts'

test('the Node version of the tests and newer versions are accepted', () => {
  const newer = [
    { node: '22.22.3', sqlite: '3.51.3' },
    { node: '22.23.0', sqlite: '3.52.0' },
    { node: '24.0.0', sqlite: '4.0.0' },
  ]
  for (const versions of [process.versions as { node: string; sqlite?: string }, ...newer])
    assert.equal(runtimeFault(versions), null)
})

test('an older runtime is refused in one sentence that says what to do', () => {
  const older = [
    { node: '22.22.2', sqlite: '3.51.3' },
    { node: '20.99.99', sqlite: '3.51.3' },
    { node: '22.22.3', sqlite: '3.51.2' },
    { node: '24.0.0', sqlite: '3.50.9' },
    { node: '22.22.3' },
  ]
  for (const versions of older)
    assert.match(runtimeFault(versions) ?? '', /^Roost needs [^.]*\.[^`]*`npm start`[^.]*\.$/)
})
