import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { decodeWords, readMail, readMailHead, textOfMail } from '#domain/alert/read/read-mail.ts'

const HEAD = 'From: nas@example.com\nTo: you@example.com\nSubject: Disk\nMIME-Version: 1.0\n'

function read(mail: string) {
  return readMail(Buffer.from(mail))
}

suite('a mail is read as its subject and its text', () => {
  const rows: readonly (readonly [name: string, mail: string, message: string])[] = [
    ['plain', `${HEAD}\nDisk 2 is gone.\n`, 'Disk 2 is gone.'],
    ['without words', HEAD, 'Disk'],
    ['with line ends of mail', `${HEAD}\nDisk 2\nis gone.`.replaceAll('\n', '\r\n'), 'Disk 2\nis gone.'],
    [
      'quoted-printable',
      `${HEAD}Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n` +
        'L=FCfter =\nsteht, 1 =3D 1.',
      'Lüfter steht, 1 = 1.',
    ],
    [
      'base64',
      `${HEAD}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n` +
        `${Buffer.from('Lüfter steht')
          .toString('base64')
          .replace(/(.{6})/, '$1\n')}\n`,
      'Lüfter steht',
    ],
    [
      'of several parts, nested, with a file',
      `${HEAD}Content-Type: multipart/mixed;\n\tboundary="a"\n\nFor old programs.\n--a\n` +
        'Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>Gone</p>\n' +
        '--b\nContent-Type: text/plain\n\nGone\n--b--\n\n--a\nContent-Type: text/plain\n' +
        'Content-Disposition: attachment; filename=log.txt\n\nlines\n--a--\n',
      'Gone',
    ],
    [
      'with only HTML',
      `${HEAD}Content-Type: multipart/mixed; boundary=a\n\n` +
        '--a\nContent-Type: text/html\n\n<p>Gone</p>\n--a--',
      '<p>Gone</p>',
    ],
    ['with fields of programs', `Received: by nas\n\tid 1\n${HEAD}Precedence: bulk\n\nGone`, 'Gone'],
    ['with broken base64', `${HEAD}Content-Transfer-Encoding: base64\n\n***`, 'Disk'],
    ['with blanks and a mark before it', `\ufeff \n${HEAD}\nGone`, 'Gone'],
    ['in an unknown charset', `${HEAD}Content-Type: text/plain; charset=x-none\n\nGone`, 'Gone'],
  ]
  for (const [name, mail, message] of rows) {
    test(name, () => assert.deepEqual({ ...read(mail) }, { title: 'Disk', message }))
  }
})

test('lines with colons that are not mail headers stay in the message', () => {
  for (const text of [
    'Host: nas\nDisk: 2\n\nSubject: none',
    'Subject line\n\nx',
    'From: nas\nDate: now\n\nx',
  ]) {
    assert.equal(read(text), null)
  }
})

const GB = 'b4 c5 c5 cc b9 ca d5 cf'
const PARTS = 'Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: '
const OTHER_CHARSETS: readonly (readonly [name: string, head: string, hex: string, message: string])[] = [
  ['Latin-1', 'Content-Type: text/plain; charset=iso-8859-1\n\n', '53 74 f6 72 75 6e 67', 'Störung'],
  ['UTF-8 that is called Latin-1', 'Content-Type: text/plain; charset=iso-8859-1\n\n', 'c3 b6 c3 a0', 'öà'],
  ['GB 2312', 'Content-Type: text/plain; charset=gb2312\n\n', GB, '磁盘故障'],
  ['no charset, bytes of Latin-1', '\n', '53 74 f6 72', 'Stör'],
  ['no charset, bytes of UTF-8', '\n', '53 74 c3 b6 72', 'Stör'],
  ['a part in Latin-1', `${PARTS}text/plain; charset=iso-8859-1\n\n`, '53 74 f6 72', 'Stör'],
  ['a part without a charset', `${PARTS}text/html\n\n`, '53 74 f6 72', 'Stör'],
  [
    'quoted-printable of windows-1251',
    'Content-Type: text/plain; charset=windows-1251\nContent-Transfer-Encoding: quoted-printable\n\n',
    Buffer.from('=CF=F0=E8').toString('hex'),
    'При',
  ],
]
for (const [name, head, hex, message] of OTHER_CHARSETS)
  test(`of a mail, ${name} is read`, () => {
    const body = Buffer.from(hex.replaceAll(' ', ''), 'hex')
    const mail = Buffer.concat([Buffer.from(HEAD + head), body, Buffer.from('\n')])
    assert.equal(readMail(mail)?.['message'], message)
    assert.equal(readMail(Buffer.from(textOfMail(mail)))?.['message'], message, 'its kept text')
  })

test('the kept text of a mail is readable, part by part, and names its charset', () => {
  const part = (type: string, bytes: Buffer) => [Buffer.from(`--b\nContent-Type: ${type}\n\n`), bytes]
  const gb = Buffer.from(GB.replaceAll(' ', ''), 'hex')
  const mail = Buffer.concat([
    Buffer.from(`${HEAD}Content-Type: multipart/mixed; boundary="b"\n\n`),
    ...part(
      'text/plain; charset="gb2312"',
      Buffer.concat([gb, Buffer.from('\n------\n'), gb, Buffer.from('\n')]),
    ),
    ...part('text/html; charset=iso-8859-1', Buffer.from('St\xf6rung\n', 'latin1')),
    ...part('text/plain; charset=utf-16\nContent-Transfer-Encoding: base64', Buffer.from('AFgA9g==\n')),
    ...part('text/plain; charset=iso-2022-jp', Buffer.from('\x1b$B%@%&%s\x1b(B\n')),
    Buffer.from('--b--\n'),
  ])
  assert.equal(
    textOfMail(mail),
    `${HEAD}Content-Type: multipart/mixed; boundary="b"\n\n` +
      '--b\nContent-Type: text/plain; charset="utf-8"\n\n磁盘故障\n------\n磁盘故障\n' +
      '--b\nContent-Type: text/html; charset=utf-8\n\nStörung\n--b\n' +
      'Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\nAFgA9g==\n--b\n' +
      'Content-Type: text/plain; charset=utf-8\n\nダウン\n--b--\n',
  )
})

test('a subject that is not encoded is read by the charset of its mail, as UTF-8 or as windows-1252', () => {
  const subjectOf = (hex: string, type: string) => {
    const subject = Buffer.from(hex.replaceAll(' ', ''), 'hex')
    return readMail(
      Buffer.concat([Buffer.from(`From: a@b\n${type}Subject: `), subject, Buffer.from('\n\nx')]),
    )
  }
  assert.equal(subjectOf('53 74 f6 72', '')?.['title'], 'Stör')
  assert.equal(subjectOf('53 74 c3 b6 72 20 c3 a0', '')?.['title'], 'Stör à')
  assert.equal(subjectOf(GB, 'Content-Type: text/plain; charset=gb2312\n')?.['title'], '磁盘故障')
})

test('a mail without a subject is its text only', () => {
  const fields = 'From: a@example.com\nTo: c@example.com\n'
  for (const head of [fields, `${fields}Subject:\n`, `${fields}Subject: \nDate: now\n`]) {
    assert.deepEqual(
      { ...readMail(Buffer.from(`${head}\nPump failed`), { isMail: true }) },
      { message: 'Pump failed' },
    )
  }
  const passedOn = `Received: by nas\n${fields}\nPump failed`
  assert.deepEqual({ ...readMail(Buffer.from(passedOn)) }, { message: 'Pump failed' })
})

test('encoded words are decoded, folded or not', () => {
  assert.equal(decodeWords('=?UTF-8?Q?L=C3=BCfter_2?= =?iso-8859-1?B?/Q==?='), 'Lüfter 2ý')
  assert.equal(decodeWords('=?UTF-8?B?***?='), '=?UTF-8?B?***?=')
  assert.equal(decodeWords('=?utf-8*de?Q?St=F6rung?= =?x-none?Q?_2?='), 'Störung 2')
})

test('of encoded text as much is decoded as readers of alerts look at', () => {
  const long = 'Disk is full. '.repeat(100_000)
  const words = { base64: Buffer.from(long).toString('base64'), 'quoted-printable': long }
  for (const [encoding, text] of Object.entries(words)) {
    const mail = `${HEAD}Content-Type: text/plain\nContent-Transfer-Encoding: ${encoding}\n\n${text}`
    const message = String(read(mail)?.['message'])
    assert.ok(long.startsWith(message) && message.length > 190_000, encoding)
  }
})

test('a malformed mail still gives a message', () => {
  for (const mail of [
    `${HEAD}Content-Type: multipart/mixed; boundary=a\n\n${'--a\n'.repeat(50_000)}`,
    `${HEAD}${'X-A: b\n'.repeat(30_000)}\nx`,
    `${HEAD}Content-Transfer-Encoding: quoted-printable\n\n${'=C3'.repeat(80_000)}`,
    `Subject: ${'=?UTF-8?Q?'.repeat(20_000)}`,
  ]) {
    assert.ok(String(read(mail)?.['message'] ?? '').length <= mail.length)
  }
})

test('of a head the first 64 names are read, as they stand', () => {
  const many = Array.from({ length: 100 }, (_, at) => `x-n${at}: ${at}`)
  const lines = ['Subject: disk full', 'From: a@example.com', '(x: 1', ...many, '', 'text']
  const head = readMailHead(Buffer.from(lines.join('\n')))
  assert.equal(Object.keys(head).length, 64)
  assert.deepEqual(
    [head['subject'], head['(x'], head['x-n60'], head['x-n61']],
    ['disk full', '1', '60', undefined],
  )
})

test('of a mail with files alone the first one with words is read', () => {
  const part = (type: string, body: string) =>
    `--b\nContent-Type: ${type}\nContent-Disposition: attachment; filename=a\n\n${body}\n`
  const picture = part('image/jpeg', 'ffd8')
  const xml = part('application/xml', '<event><type>VMD</type><state>active</state></event>')
  const head = `${HEAD}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n`
  assert.match(String(read(`${head}${picture}${xml}--b--\n`)?.['message']), /^VMD +active$/)
  const shown = '--b\n\nMotion at the gate.\n'
  assert.equal(read(`${head}${xml}${shown}--b--\n`)?.['message'], 'Motion at the gate.')
})

test('a mail without words says who sent it, and its files', () => {
  const picture =
    'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/jpeg; name="gate.jpg"\n' +
    'Content-Disposition: attachment; filename="gate.jpg"\n' +
    'Content-Transfer-Encoding: base64\n\n/9j/4AAQ\n--b--\n'
  const inHtml = 'Content-Type: text/html\n\n<p><img src="cid:1"></p>\n'
  const ROWS: readonly (readonly [mail: string, message: string])[] = [
    [`From: Gate <cam@example.com>\nSubject:\n${picture}`, 'Mail from Gate: gate.jpg'],
    [`From: <cam@example.com>\n${picture}`, 'Mail from cam@example.com: gate.jpg'],
    [`From: "=?utf-8?Q?T=C3=BCr?=" <cam@example.com>\n${inHtml}`, 'Mail from Tür'],
    [`To: you@example.com\n${picture}`, 'Mail: gate.jpg'],
    ['From: cam@example.com\n\n', 'Mail from cam@example.com'],
  ]
  for (const [mail, message] of ROWS) {
    assert.deepEqual({ ...readMail(Buffer.from(mail), { isMail: true }) }, { message })
    assert.equal(readMail(Buffer.from(mail)), null)
  }
})
