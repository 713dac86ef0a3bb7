import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { nextLook } from '#test/kit/next-turn.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { type CommandOptions, runHere } from '#test/kit/run-roost.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const NUMBER = '+14155550123'

describe('commands beside a running gateway', () => {
  let gateway: TestGateway
  let owner: TestAccount
  let phone: PairedPhone

  before(async () => {
    gateway = await startGateway()
    owner = await gateway.owner()
    phone = await PairedPhone.pair(gateway, owner.accountId)
    await phone.connect(gateway.url)
  })
  after(async () => {
    await phone.disconnect()
    await gateway.stop()
  })

  const roost = (args: readonly string[], options: Partial<CommandOptions> = {}) =>
    runHere([...args, '--data', gateway.dataDir], { cwd: '/nowhere', ...options })
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await roost([...args, '--json'])
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }

  test('send prints only the id, and with --wait exits with 0 once the phone has sent the text', async () => {
    const { code, stdout, stderr } = await roost(['send', NUMBER, 'The backup is done', '--wait'])
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^msg_\w{26}\n$/)
    assert.deepEqual(phone.sent.at(-1), { phoneNumber: NUMBER, message: 'The backup is done' })
    const shown = await json('message', 'show', stdout.trim())
    assert.deepEqual([shown.status, shown.deviceId], ['sent', phone.deviceId])
  })

  test('send reads the text from standard input if it is "-", and finds a phone by its name', async () => {
    const args = ['send', NUMBER, '-', '--device', 'phone', '--priority', 'high', '--wait']
    const { code } = await roost(args, { input: 'two\nlines\n' })
    assert.deepEqual([code, phone.sent.at(-1)?.message], [0, 'two\nlines'])
  })

  test('send lets a group of phones send, by its id or name', async () => {
    const { id } = await json('device', 'group', 'create', 'Office', '--device', phone.deviceId)
    for (const group of [id, 'Office']) {
      const { code } = await roost(['send', NUMBER, `from ${group}`, '--group', group, '--wait'])
      assert.deepEqual([code, phone.sent.at(-1)?.message], [0, `from ${group}`])
      const [newest] = (await json('message', 'list')).messages
      assert.equal(newest.deviceGroupId, id)
    }
    const strange = await roost(['send', NUMBER, 'x', '--group', 'Cellar'])
    assert.deepEqual([strange.code, strange.stderr], [1, 'error: there is no such group of phones\n'])
    const both = await roost(['send', NUMBER, 'x', '--group', id, '--device', phone.deviceId])
    assert.deepEqual([both.code, /not both/.test(both.stderr)], [2, true])
    assert.equal((await roost(['device', 'group', 'remove', id])).code, 0)
  })

  test('send reports all errors in number and text at once, and sends nothing', async () => {
    const sent = phone.sent.length
    const { code, stderr } = await roost(['send', '555', ' '])
    assert.equal(code, 2)
    assert.match(stderr, /\n {2}text: must not be only white space\n {2}555: must begin with \+ /)
    const strange = await roost(['send', NUMBER, 'x', '--device', 'toaster'])
    assert.deepEqual([strange.code, strange.stderr], [1, 'error: there is no such device\n'])
    assert.equal(phone.sent.length, sent)
  })

  test('send takes a short code and bytes of Latin-1 if it is asked to', async () => {
    const refused = await roost(['send', '72404', 'x'])
    assert.deepEqual([refused.code, /add --skip-phone-validation/.test(refused.stderr)], [2, true])
    const args = ['send', '72404', '-', '--skip-phone-validation', '--wait']
    const input = Buffer.from('St\xf6rung\n', 'latin1')
    const { code, stderr } = await roost(args, { input })
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(phone.sent.at(-1), { phoneNumber: '72404', message: 'Störung' })
    const marked = { input: Buffer.from('\ufeffStörung') }
    assert.equal((await roost(['send', '+39 (0)333 1234567', '-', '--wait'], marked)).code, 0)
    assert.deepEqual(phone.sent.at(-1), { phoneNumber: '+393331234567', message: 'Störung' })
  })

  test('send and webhook create take 00 for +, and refuse to guess', async () => {
    const { stdout, stderr } = await roost(['send', '0014155550123', 'x', '--wait'])
    assert.match(stdout, /^msg_/, stderr)
    assert.equal(phone.sent.at(-1)?.phoneNumber, NUMBER)
    const env = { ROOST_MESSAGES__DEFAULT_COUNTRY: 'DE' }
    const sent = phone.sent.length
    for (const command of [
      ['send', '4915112345678', 'x'],
      ['webhook', 'create', 'guess', '--recipient', '4915112345678'],
    ]) {
      const refused = await roost(command, { env })
      assert.equal(refused.code, 2)
      assert.match(refused.stderr, /4915112345678: must begin with \+ .* or one of DE$/m)
    }
    assert.equal(phone.sent.length, sent)
  })

  test('--wait ends with 1 and the reason when the message fails', async () => {
    const { accountId } = owner
    const { deviceId } = await PairedPhone.pair(gateway, accountId)
    const waiting = roost(['send', NUMBER, 'y', '--queue', '--wait', '--device', deviceId])
    while ((await gateway.ask('device.find', { accountId, deviceId })).queueLength === 0) await nextLook()
    await gateway.ask('device.remove', { accountId, deviceId })
    const { code, stderr } = await waiting
    const reason = 'Not sent: the phone that had to send it was removed (DEVICE_REMOVED).\n'
    assert.deepEqual([code, stderr], [1, reason])
  })

  test('without a connected phone send says so; with --queue the text waits', async () => {
    const { email } = await gateway.account('idle@example.org')
    const refused = await roost(['send', NUMBER, 'x', '--account', email])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^error: no phone is paired, so none is connected; add --queue to /)
    const queued = await roost(['send', NUMBER, 'x', '--account', email, '--queue'])
    const id = queued.stdout.trim()
    const cancelled = await roost(['message', 'cancel', id])
    assert.deepEqual([cancelled.code, cancelled.stdout], [0, ''])
    assert.equal((await json('message', 'show', id)).failure.code, 'CANCELLED')
    assert.equal((await roost(['message', 'cancel', id])).code, 1)
  })

  test('account remove asks first, and ends keys, phones and messages at once', async () => {
    const { email, liveKey, accountId } = await gateway.account('removed@example.org')
    await PairedPhone.pair(gateway, accountId)
    const list = () => gateway.call('GET', '/api/v1/sms', { key: liveKey })
    await roost(['send', NUMBER, 'x', '--account', email, '--queue'])
    for (const input of ['n\n', '']) {
      const kept = await roost(['account', 'remove', email], { input })
      assert.deepEqual([kept.code, kept.stdout], [1, ''])
      assert.match(kept.stderr, /^Remove removed@example.org with all .*\? \[y\/N\] Nothing was removed/)
    }
    assert.equal((await list()).status, 200)
    const removed = await roost(['account', 'remove', email], { input: 'yes\n' })
    assert.equal(removed.code, 0)
    assert.match(
      removed.stderr,
      /\] Removed removed@example.org: phones 1, webhooks 0, messages 1, received texts 0/,
    )
    assert.equal((await list()).status, 401)
    const again = await roost(['account', 'remove', email, '--yes'])
    assert.deepEqual([again.code, again.stderr], [1, `error: there is no such account: ${email}\n`])
    await gateway.account(email)
    assert.equal((await json('account', 'remove', email, '--yes')).email, email)
  })

  test('messages are listed newest first, with names in place of ids, and filtered', async () => {
    const text = 'A text with\na second line that goes on for very long'
    await roost(['send', '+14155550177', text, '--wait', '--account', owner.email])
    const { stdout } = await roost(['message', 'list', '--account', owner.email, '--number', '+14155550177'])
    const [headings, row] = stdout.split('\n')
    assert.match(headings ?? '', /^WHEN +TO +STATUS +TEXT +PHONE +ID$/)
    assert.match(
      row ?? '',
      /^just now {2}\+14155550177 {2}sent +A text with a second line [^\n]*… {2}phone {2}msg_/,
    )
    const { messages } = await json('message', 'list', '--account', owner.email, '--status', 'failed')
    for (const { status } of messages) assert.equal(status, 'failed')
    const listed = async (...args: string[]) =>
      (await json('message', 'list', '--account', owner.email, ...args)).messages.length
    assert.equal(await listed('--q', 'second line'), 1)
    assert.equal(await listed('--kind', 'webhook'), 0)
    assert.ok((await listed('--kind', 'sms')) > 1)
    assert.equal(await listed('--webhook', 'whk_unknown'), 0)
    const none = await json('message', 'list', '--account', owner.email, '--until', '2020-01-01T00:00:00Z')
    assert.deepEqual(none, { messages: [] })
    assert.equal((await roost(['message', 'list', '--since', 'yesterday'])).code, 2)
  })

  test('received texts are listed, and --follow shows a new one as it comes', async () => {
    await phone.reportReceived({ id: '1', from: NUMBER, message: 'first \u001b[2J answer' })
    const listed = await roost(['received', 'list', '--account', owner.email])
    assert.match(
      listed.stdout,
      /^WHEN +FROM +TEXT .*\njust now {2}\+14155550123 {2}first \[2J answer +phone /,
    )
    const stop = new AbortController()
    const seen = Promise.withResolvers<void>()
    const printed = (stdout: string) => {
      if (stdout.includes('first')) seen.resolve()
      if (stdout.includes('second')) stop.abort()
    }
    const options = { stop: stop.signal, printed }
    const following = roost(['received', 'list', '--account', owner.email, '--follow'], options)
    await seen.promise
    await phone.reportReceived({ id: '2', from: 'Bank', message: 'second' })
    const { code, stdout } = await following
    assert.equal(code, 0)
    assert.equal(stdout.split('\n').filter(line => line !== '').length, 2)
  })

  test('opt-out shows who answered STOP to a text of send, and takes and adds numbers', async () => {
    const number = '+14155550177'
    const mine = (...args: string[]) => roost([...args, '--account', owner.email])
    assert.equal((await mine('send', number, 'Sale', '--wait')).code, 0)
    await phone.reportReceived({ id: 'stop', from: number, message: 'Stop' })
    const { optOuts } = await json('opt-out', 'list', '--account', owner.email)
    assert.deepEqual(
      optOuts.map((one: Record<string, string>) => [one['phoneNumber'], one['by'], one['account']]),
      [[number, 'text', owner.email]],
    )
    const refused = await mine('send', number, 'More')
    const why = `error: ${number} wants no more texts: it is on the list of opt-outs\n`
    assert.deepEqual([refused.code, refused.stderr], [1, why])
    const taken = await mine('opt-out', 'remove', '+1 415 555-0177')
    assert.deepEqual([taken.code, taken.stdout, taken.stderr], [0, `${number}\n`, 'It gets texts again.\n'])
    assert.equal((await mine('send', number, 'More', '--wait')).code, 0)
    for (const added of ['12345', number]) assert.equal((await mine('opt-out', 'add', added)).code, 0)
    const listed = await mine('opt-out', 'list')
    assert.match(listed.stdout, /^NUMBER .*\n\+14155550177 .* owner .*\n12345 .* owner /)
    assert.equal((await mine('opt-out', 'add', 'nobody')).code, 2)
    assert.equal((await mine('opt-out', 'remove', '+14155550178')).code, 1)
    assert.equal((await mine('opt-out', 'remove', number)).code, 0)
  })

  test('a phone is renamed, paused and resumed, by id or by name', async () => {
    await json('device', 'rename', phone.deviceId, 'Kitchen')
    const paused = await roost(['device', 'pause', 'Kitchen'])
    assert.deepEqual([paused.code, paused.stderr], [0, 'Kitchen is paused.\n'])
    const listed = await roost(['device', 'list', '--account', owner.email])
    assert.match(listed.stdout, /^NAME +STATUS +BATTERY .*\nKitchen +online, paused +- +- +receives +\d+ /)
    assert.equal((await json('device', 'resume', 'Kitchen')).paused, false)
    await json('device', 'rename', 'Kitchen', 'phone')
  })

  test('status describes a running gateway and exits with 0', async () => {
    const { code, stdout } = await roost(['status'])
    assert.equal(code, 0)
    assert.match(stdout, /^Roost \S+ runs, started just now \(process \d+\)\.\nAddress: http:\/\/\S+ /)
    assert.match(stdout, /\nphone +online +- +\d+ +\d+\n/)
    assert.match(stdout, /\nToday: \d+ texts? accepted, 0 codes\.\n$/)
    const { running, url, devices } = await json('status')
    assert.deepEqual([running, url, devices.length], [true, gateway.url, 1])
  })

  test('status exits with 1 on a critical problem, and with --ready only if no gateway runs', async () => {
    phone.reportBattery(5)
    // The gateway has read the battery once it has stored the text that follows.
    await phone.reportReceived({ id: 'after the battery', from: NUMBER, message: 'hello' })
    const { code, stdout } = await roost(['status'])
    assert.match(stdout, /\nCRITICAL BATTERY_LOW,/)
    assert.deepEqual([code, (await roost(['status', '--ready'])).code], [1, 0])
    phone.reportBattery(90)
    await phone.reportReceived({ id: 'charged again', from: NUMBER, message: 'hello' })
  })

  test('setup-link prints a link until a password is set, then says how to change it', async () => {
    const { code, stdout } = await roost(['setup-link'])
    assert.equal(code, 0)
    assert.equal((await fetch(stdout.trim())).status, 200)
    await gateway.ask('account.set-password', { email: owner.email, passwordHash: '$scrypt$none' })
    const refused = await roost(['setup-link'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /a password is already set; .* roost account set-password owner@localhost$/m)
  })
})

test('with a stopped gateway a text waits, and status exits with 1', async t => {
  const dataDir = temporaryDirectory(t)
  const gateway = await startGateway({ dataDir })
  await PairedPhone.pair(gateway, (await gateway.owner()).accountId)
  await gateway.stop()
  const roost = (line: string) => runHere([...line.split(' '), '--data', dataDir], { cwd: '/nowhere' })
  const status = await roost('status')
  assert.deepEqual([status.code, (await roost('status --ready')).code], [1, 1])
  assert.match(status.stdout, /^The gateway in \S+ is not running\.\n\nPHONE /)
  const sent = await roost(`send ${NUMBER} later`)
  const warning = 'The gateway is not running: the text waits until it is started.\n'
  assert.deepEqual([sent.code, sent.stderr], [0, warning])
  assert.match((await roost('message list')).stdout, /queued +later /)
  const waits = await roost(`send ${NUMBER} later --wait`)
  assert.equal(waits.code, 1)
  assert.match(waits.stderr, /^error: the gateway is not running, so --wait would never end: start the/)
  for (const list of ['received list', 'webhook list', 'device list'])
    assert.equal((await roost(list)).code, 0)
})
