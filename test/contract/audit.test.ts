import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { connectControl } from '#app/control/control-client.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import type { SharedGateway, TestAccount } from '#test/kit/gateway.ts'
import { runHere } from '#test/kit/run-roost.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { addUser, type TestUser, tokenOfUser } from '#test/kit/users.ts'

const NUMBER = '+14155550123'
const TEXT = 'a text that stays secret'

suite('the audit list', () => {
  let gateway: SharedGateway
  let owner: TestAccount
  let ada: TestUser
  let token = ''

  before(async () => {
    gateway = await sharedGateway()
    owner = await gateway.newAccount()
    ada = await addUser(gateway, owner, { email: 'ada@audit.example.org', role: 'operator' })
    token = await tokenOfUser(gateway, ada)
  })

  const call = (method: string, path: string, json?: unknown, as: object = { token }) =>
    gateway.call(method, `/api/v1${path}`, { ...as, ...(json !== undefined && { json }) })
  const list = async (query = '') => {
    const answer = await call('GET', `/audit${query}`, undefined, { token: owner.token })
    assert.equal(answer.status, 200)
    return { entries: answer.json?.data ?? [], next: answer.json?.page?.nextCursor, text: answer.text }
  }
  const newest = async () => (await list('?limit=1')).entries[0]

  test('tells what a user did, without its text and numbers', async () => {
    const made = await call('POST', '/people', { name: 'Secret Name', phoneNumber: NUMBER })
    const id = String(made.json?.data['id'])
    const before = Date.now()
    const entry = await newest()
    assert.deepEqual(
      { ...entry, id: '', when: '' },
      {
        id: '',
        when: '',
        who: ada.userId,
        name: ada.email,
        what: 'person.create',
        which: id,
        whichName: 'Secret Name',
      },
    )
    assert.ok(Math.abs(Date.parse(String(entry?.['when'])) - before) < 60_000)
    await call('PATCH', `/people/${id}`, { name: 'Other Secret' })
    assert.deepEqual([(await newest())?.['what'], (await newest())?.['which']], ['person.update', id])
    await call('DELETE', `/people/${id}`)
    assert.deepEqual([(await newest())?.['what'], (await newest())?.['which']], ['on-call.remove', id])
    assert.doesNotMatch((await list()).text, RegExp(`Secret|${NUMBER.slice(1)}`))
  })

  test('names what was done to, as it is now, while it is there', async () => {
    const as = { token: owner.token }
    const hook = { name: 'Old name', recipients: [NUMBER] }
    const made = await call('POST', '/webhooks', hook, as)
    const id = String(made.json?.data['id'])
    assert.deepEqual([(await newest())?.['which'], (await newest())?.['whichName']], [id, 'Old name'])
    await call('PATCH', `/webhooks/${id}`, { name: 'New name' }, as)
    const { entries } = await list('?limit=2')
    assert.deepEqual(
      entries.map(({ whichName }) => whichName),
      ['New name', 'New name'],
    )
    await call('DELETE', `/webhooks/${id}`, undefined, as)
    assert.deepEqual([(await newest())?.['which'], (await newest())?.['whichName']], [id, null])
    assert.doesNotMatch((await list()).text, /(Old|New) name/)
    const key = await call('POST', '/keys', { name: 'Scripts', test: true }, as)
    assert.equal((await newest())?.['whichName'], 'Scripts')
    await call('DELETE', `/keys/${key.json?.data['id']}`, undefined, as)
    const forward = { name: 'Chat', kind: 'ntfy', url: 'https://ntfy.sh/roost' }
    await call('POST', '/forwards', forward, as)
    assert.equal((await newest())?.['whichName'], 'Chat')
  })

  test('has what a user sends, once, and its cancelling; but not what a key sends', async () => {
    const message = { phoneNumber: NUMBER, message: TEXT, queueIfOffline: true }
    const headers = { 'Idempotency-Key': 'once' }
    const sent = await call('POST', '/sms/send', message, { token, headers })
    const id = String(sent.json?.data['messageId'])
    const first = await newest()
    assert.deepEqual([first?.['who'], first?.['what'], first?.['which']], [ada.userId, 'message.accept', id])
    await call('POST', '/sms/send', message, { token, headers })
    assert.deepEqual(await newest(), first, 'a repeated call did nothing')

    const byKey = await call('POST', '/sms/send', message, { key: owner.liveKey })
    const code = await call('POST', '/sms/2fa', { phoneNumber: NUMBER }, { key: owner.testKey })
    assert.equal(code.status, 200)
    assert.deepEqual(await newest(), first, 'a key sends without an entry')
    const other = String(byKey.json?.data['messageId'])
    await call('DELETE', `/sms/${other}`, undefined, { key: owner.liveKey })
    const cancelled = await newest()
    assert.match(String(cancelled?.['who']), /^key_/)
    assert.deepEqual(
      [cancelled?.['name'], cancelled?.['what'], cancelled?.['which']],
      ['live', 'message.cancel', other],
    )
    assert.doesNotMatch((await list()).text, RegExp(`${TEXT}|${NUMBER.slice(1)}`))
  })

  test('has no entry for what was refused or only read', async () => {
    const before = await newest()
    await call('POST', '/people', { name: 'x', phoneNumber: 'wrong' })
    await call('DELETE', '/people/per_none')
    await call('GET', '/devices')
    await call('POST', '/keys', { name: 'x' })
    assert.deepEqual(await newest(), before)
  })

  test('has what was typed on the command line', async () => {
    const control = await connectControl(dataDirectory(gateway.dataDir).controlSocket)
    assert.ok(control)
    const { record } = await control.ask('key.create', { email: owner.email, name: 'typed', test: true })
    const made = await newest()
    assert.deepEqual(
      { who: made?.['who'], name: made?.['name'], what: made?.['what'], which: made?.['which'] },
      { who: 'command line', name: null, what: 'key.create', which: record.id },
    )
    await control.ask('key.revoke', { id: record.id, accountId: null })
    assert.deepEqual([(await newest())?.['what'], (await newest())?.['which']], ['key.revoke', record.id])
    const { code, stdout } = await runHere(
      ['send', NUMBER, TEXT, '--queue', '--account', owner.email, '--data', gateway.dataDir],
      { cwd: '/nowhere' },
    )
    assert.equal(code, 0)
    const sent = await newest()
    assert.deepEqual(
      [sent?.['who'], sent?.['what'], sent?.['which']],
      ['command line', 'message.accept', stdout.trim()],
    )
    control.close()
  })

  test('has logins, changes of users, and no secret of them', async () => {
    const as = { token: owner.token }
    const invited = await call('POST', '/users', { email: 'bob@audit.example.org', role: 'viewer' }, as)
    const { id, invitationUrl } = (invited.json?.data ?? {}) as { id: string; invitationUrl: string }
    assert.deepEqual([(await newest())?.['what'], (await newest())?.['which']], ['user.invite', id])
    const link = invitationUrl.split('/').at(-1) ?? ''
    const password = 'correct horse battery'
    const taken = await call('POST', '/invitations', { token: link, password }, {})
    const opened = await newest()
    assert.deepEqual(
      [opened?.['who'], opened?.['what'], opened?.['which']],
      [id, 'session.open', taken.json?.data['id']],
    )
    await call('DELETE', `/users/${id}`, undefined, as)
    const { entries, text } = await list()
    assert.equal(entries[0]?.['what'], 'user.remove')
    const own = entries.find(({ who }) => who === id)
    assert.equal(own?.['name'], null, 'the user is gone, its entries stay')
    assert.doesNotMatch(text, RegExp(`${link}|${password}|scrypt`))
  })

  test('is read by pages and from a time on', async () => {
    const { entries } = await list('?limit=200')
    const pages: Record<string, unknown>[] = []
    for (let cursor = ''; ; ) {
      const page = await list(`?limit=3${cursor}`)
      pages.push(...page.entries)
      if (page.next == null) break
      cursor = `&cursor=${page.next}`
    }
    assert.deepEqual(pages, entries)
    assert.equal((await list(`?since=${new Date(Date.now() + 60_000).toISOString()}`)).entries.length, 0)
    const third = entries[2]
    const since = await list(`?since=${third?.['when']}&limit=200`)
    assert.ok(since.entries.length >= 3 && since.entries.length <= entries.length)
    assert.ok(since.entries.every(({ when }) => String(when) >= String(third?.['when'])))
    assert.equal((await call('GET', '/audit?cursor=nonsense', undefined, { token: owner.token })).status, 400)
  })

  test('is of its own account', async () => {
    const other = await gateway.newAccount()
    const answer = await call('GET', '/audit', undefined, { token: other.token })
    assert.doesNotMatch(answer.text, RegExp(`${ada.userId}|message.accept`))
  })
})
