import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { decodeWords, readMail, readMailHead } from '#domain/alert/read/read-mail.ts'

const HEAD = 'From: nas@example.com\nTo: you@example.com\nSubject: Disk\nMIME-Version: 1.0\n'

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
    ['in an unknown charset', `${HEAD}Content-Type: text/plain; charset=x-none\n\nGone`, 'Gone'],
  ]
  for (const [name, mail, message] of rows) {
    test(name, () => assert.deepEqual({ ...readMail(mail) }, { title: 'Disk', message }))
  }
})

test('lines with colons that are not mail headers stay in the message', () => {
  for (const text of [
    'Host: nas\nDisk: 2\n\nSubject: none',
    'Subject line\n\nx',
    'From: nas\nDate: now\n\nx',
  ]) {
    assert.deepEqual(readMail(text), { message: text })
  }
})

test('encoded words are decoded, folded or not', () => {
  assert.equal(decodeWords('=?UTF-8?Q?L=C3=BCfter_2?= =?iso-8859-1?B?/Q==?='), 'Lüfter 2ý')
  assert.equal(decodeWords('=?UTF-8?B?***?='), '=?UTF-8?B?***?=')
})

test('of encoded text as much is decoded as readers of alerts look at', () => {
  const long = 'Disk is full. '.repeat(100_000)
  const words = { base64: Buffer.from(long).toString('base64'), 'quoted-printable': long }
  for (const [encoding, text] of Object.entries(words)) {
    const mail = `${HEAD}Content-Type: text/plain\nContent-Transfer-Encoding: ${encoding}\n\n${text}`
    const message = String(readMail(mail)['message'])
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
    assert.ok(String(readMail(mail)['message']).length <= mail.length)
  }
})

test('of a head the first 64 names are read, as they stand', () => {
  const many = Array.from({ length: 100 }, (_, at) => `x-n${at}: ${at}`)
  const head = readMailHead(
    ['Subject: disk full', 'From: a@example.com', '(x: 1', ...many, '', 'text'].join('\n'),
  )
  assert.equal(Object.keys(head).length, 64)
  assert.deepEqual(
    [head['subject'], head['(x'], head['x-n60'], head['x-n61']],
    ['disk full', '1', '60', undefined],
  )
})
