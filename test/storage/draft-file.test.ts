import assert from 'node:assert/strict'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { DraftFile } from '#storage/draft-file.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

test('a draft gets its name when it is complete, private and without a trace', t => {
  const folder = temporaryDirectory(t)
  const draft = new DraftFile(join(folder, 'file'))
  writeSync(draft.fd, 'text')
  assert.equal(existsSync(join(folder, 'file')), false)
  draft.publish()
  assert.deepEqual(readdirSync(folder), ['file'])
  assert.equal(statSync(join(folder, 'file')).mode & 0o777, 0o600)
  new DraftFile(join(folder, 'other')).discard()
  assert.deepEqual(readdirSync(folder), ['file'])
})

test('a draft whose place another file or link took does not get the name', t => {
  const folder = temporaryDirectory(t)
  const victim = join(folder, 'victim')
  writeFileSync(victim, 'kept')
  for (const plant of [
    (path: string) => symlinkSync(victim, path),
    (path: string) => writeFileSync(path, 'planted', { mode: 0o666 }),
  ]) {
    const draft = new DraftFile(join(folder, 'file'))
    renameSync(draft.path, join(folder, 'aside'))
    plant(draft.path)
    assert.throws(() => draft.publish(), /someone else changed file\.\d+\.roost-.*: name a folder/)
    draft.discard()
    assert.deepEqual([existsSync(join(folder, 'file')), readFileSync(victim, 'utf8')], [false, 'kept'])
  }
})

test('drafts that were left are removed, but no running ones, no links and no other files', t => {
  const folder = temporaryDirectory(t)
  const at = (name: string) => join(folder, name)
  const draft = new DraftFile(at('file'))
  const old = new Date(Date.now() - 7_200_000)
  const names = {
    gone: [
      `old.${process.pid}.roost-0123456789abcdef.partial`,
      `old.${process.pid}.roost-0123456789abcdef.partial-journal`,
      `roost-2026-01-01T033000Z.backup.${process.pid}.partial`,
    ],
    kept: ['other.partial', 'roost.db', 'link.1.roost-0123456789abcdef.partial', basename(draft.path)],
  }
  symlinkSync('roost.db', at('link.1.roost-0123456789abcdef.partial'))
  // No process can have such an id.
  writeFileSync(at('ended.2000000000.roost-0123456789abcdef.partial'), '')
  for (const name of [...names.gone, 'other.partial', 'roost.db']) {
    writeFileSync(at(name), '')
    utimesSync(at(name), old, old)
  }
  new DraftFile(at('next')).discard()
  assert.deepEqual(readdirSync(folder).sort(), names.kept.sort())
  draft.discard()
})
