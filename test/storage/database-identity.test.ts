import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FileIdentity, isCopy } from '#storage/database-identity.ts'

const PLACE: FileIdentity = { machine: 'a'.repeat(32), path: '/srv/a/roost.db', inode: '7', bornAt: '1000' }
const ELSEWHERE = { path: '/srv/b/roost.db' }
const OTHER_FILE = { inode: '9', bornAt: '2000' }

const CASES: readonly [name: string, here: Partial<FileIdentity>, oldFileExists: boolean, isCopy: boolean][] =
  [
    ['the same file at its place', {}, true, false],
    ['a folder that was renamed', ELSEWHERE, false, false],
    ['a folder that was renamed, with a new one at its old place', ELSEWHERE, true, false],
    ['a copy beside the original', { ...ELSEWHERE, ...OTHER_FILE }, true, true],
    ['a folder that was moved to another disk', { ...ELSEWHERE, ...OTHER_FILE }, false, false],
    ['a copy that was put at the place of the original', OTHER_FILE, true, true],
    ['a copy on another machine', { machine: 'b'.repeat(32), ...OTHER_FILE }, false, true],
    ['a disk that was put into another machine', { machine: 'b'.repeat(32) }, true, true],
    ['the same file in a container, which has no id', { machine: null, ...ELSEWHERE }, false, false],
    ['another file in a container', { machine: null, ...ELSEWHERE, ...OTHER_FILE }, false, true],
    ['a file system that numbers its files anew', { inode: '9' }, true, false],
    ['another birth under the same number, as on a new disk', { bornAt: '2000' }, true, true],
    ['a file system that keeps no birth', { bornAt: null }, true, false],
    ['a copy to a file system that keeps no birth', { inode: '9', bornAt: null }, true, true],
  ]

for (const [name, here, oldFileExists, expected] of CASES)
  test(`${name} is ${expected ? 'a copy' : 'no copy'}`, () => {
    assert.equal(isCopy(PLACE, { ...PLACE, ...here }, oldFileExists), expected)
  })
