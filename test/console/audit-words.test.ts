import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deedLink, deedWords, doerWords, nameOfDeed } from '#console/audit-words.ts'
import { isEnough, neededFor } from '#console/roles.ts'
import { KINDS } from '#contracts/kinds.ts'

test('an entry of the audit list reads as a sentence', () => {
  const words = (what: string, which: string | null) => deedWords({ what, which })
  assert.equal(words('message.accept', 'msg_1'), 'sent a text')
  assert.equal(words('webhook.create', 'whk_1'), 'made a webhook')
  assert.equal(words('on-call.remove', 'pol_1'), 'removed a policy')
  assert.equal(words('forward.create', 'fwd_1'), 'made a forward')
  assert.equal(words('device-group.update', 'dgr_1'), 'changed a group of phones')
  assert.equal(words('notification.set', null), 'changed the notifications')
  assert.equal(words('new-thing.paint', 'xyz_1'), 'paint new thing')
  assert.equal(doerWords({ who: 'command line', name: null }), 'Somebody on the command line')
  assert.equal(doerWords({ who: 'key_1', name: 'scripts' }), 'The key scripts')
  assert.equal(doerWords({ who: 'usr_1', name: null }), 'A user who was removed')
})

test('the audit list has words for every kind of thing with a name', () => {
  for (const [name, kind] of Object.entries(KINDS)) {
    if (!('name' in kind)) continue
    const spoken = ['create', 'update'].map(verb =>
      deedWords({ what: `${name}.${verb}`, which: `${kind.prefix}1` }),
    )
    const bare = ['made', 'changed'].map(verb => `${verb} ${name.replaceAll('-', ' ')}`)
    assert.notDeepEqual(spoken, bare, `${name}: give it a noun in console/audit-words.ts`)
  }
})

test('an entry names what it was done to, unless that is who did it', () => {
  assert.equal(nameOfDeed({ what: 'webhook.update', whichName: 'NAS' }), 'NAS')
  assert.equal(nameOfDeed({ what: 'on-call.remove', whichName: null }), null)
  assert.equal(nameOfDeed({ what: 'account.change', whichName: 'ada@example.org' }), null)
})

test('an entry links to what is still there', () => {
  assert.equal(deedLink({ what: 'message.accept', which: 'msg_1' }), '#/texts/msg_1')
  assert.equal(deedLink({ what: 'on-call.remove', which: 'pol_1' }), null)
  assert.equal(deedLink({ what: 'user.invite', which: 'usr_1' }), null)
  assert.equal(deedLink({ what: 'notification.set', which: null }), null)
})

test('pages that change things are for the roles that may', () => {
  assert.equal(neededFor('', null), 'viewer')
  assert.equal(neededFor('texts', 'msg_1'), 'viewer')
  assert.equal(neededFor('texts', 'new'), 'operator')
  for (const page of ['users', 'audit', 'notifications']) assert.equal(neededFor(page, null), 'owner')
  assert.equal(neededFor('devices', 'pair'), 'owner')
  assert.ok(isEnough('owner', 'viewer') && isEnough('operator', 'operator'))
  assert.ok(!isEnough('viewer', 'operator'))
})
