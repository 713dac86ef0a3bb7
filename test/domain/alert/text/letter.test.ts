import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isDatedLine, isNote, linesOfLetter, withoutLeadIn, withoutTimes } from '#domain/alert/text/letter.ts'

suite('a letter loses its salutation and its end, in any language', () => {
  const letters: readonly (readonly [salutation: string, ...end: string[]])[] = [
    ['Hello,', 'Regards,', 'Alert Manager Team'],
    ['Dear customer,', 'Thanks'],
    ['Hallo!', 'Viele Grüße', 'Ihre CCU3'],
    ['Sehr geehrter Herr Brandt,', 'Mit freundlichen Grüßen', 'Ihr Serviceteam'],
    ['Guten Tag Frau Brandt,', 'Mit freundlichem Gruß'],
    ['Madame, Monsieur,', 'Bien cordialement,', 'Votre centre'],
    ['Bonjour,', "L'équipe Support"],
    ['Hola Carmen:', 'Un saludo,', 'El equipo de soporte'],
    ['Buenos días:', 'Saludos cordiales,'],
    ['Spett.le Cliente,', 'Distinti saluti'],
    ['Beste Jeroen,', 'Met vriendelijke groet,', 'Het team'],
    ['Szanowni Państwo,', 'Z poważaniem'],
    ['Prezado cliente,', 'Atenciosamente,', 'Equipe'],
    ['Hej!', 'Med vänlig hälsning'],
    ['Dobrý den,', 'S pozdravem'],
    ['Tere Mari,', 'Parimate soovidega,', 'Valvekeskus'],
  ]
  for (const [salutation, ...end] of letters)
    test(salutation, () =>
      assert.deepEqual(linesOfLetter([salutation, 'Disk 2 of nas has failed.', 'Slot: 4', ...end]), [
        'Disk 2 of nas has failed.',
        'Slot: 4',
      ]),
    )
  test('a name below the last sentence of a letter that was greeted is that of its sender', () => {
    assert.deepEqual(linesOfLetter(['Hi,', 'The pump stopped.', 'Water Watch']), ['The pump stopped.'])
    assert.deepEqual(linesOfLetter(['Hi,', 'These are down:', 'Kitchen']), ['These are down:', 'Kitchen'])
    assert.deepEqual(linesOfLetter(['The pump stopped.', 'Kitchen']), ['The pump stopped.', 'Kitchen'])
  })
  test('lines that only look like one stay', () => {
    const lines = [
      'Hello World is down',
      'Best disk,',
      'nas: Thanks to the UPS it is still up',
      'Dear 5: full',
    ]
    assert.deepEqual(linesOfLetter(lines), lines)
  })
})

suite('a note about the message itself is none about the alert', () => {
  const notes = [
    'This is an automatically generated message, please do not reply.',
    'Diese E-Mail wurde automatisch erstellt.',
    'Ceci est un message automatique, merci de ne pas y répondre.',
    'Este es un mensaje automático, por favor no responda a este correo.',
    'Wiadomość została wygenerowana automatycznie',
    "You're receiving this because you set up monitoring.",
    'Copyright 2026 Example Ltd.',
  ]
  for (const note of notes) test(note, () => assert.equal(isNote(note), true))
  const others = [
    'El backend de Pharmacy no responde desde hace 2 minutos.',
    'Il server non risponde',
    'Serwer nie odpowiada',
    'Automatic restart of nas failed',
    'The mail server on nas does not reply',
    'Automatic mail delivery: disk full',
  ]
  for (const other of others) test(other, () => assert.equal(isNote(other), false))
})

suite('a line of a name and a date is left out', () => {
  for (const line of [
    'Date: 2026-11-26T03:12:44+01:00',
    'Zeitpunkt: 26.11.2026 07:12',
    'Geprüft am: 26.11.2026 um 03:12 Uhr',
    'Alarm Start Time(D/M/Y H:M:S): 26/11/2026 03:12:44',
    'Data: 26/11/2026 Ora: 03:12',
    'Reported: 27 Nov 2026 04:20',
    'Hora: 04:20',
    '発生時間: 05:11:02',
  ])
    test(line, () => assert.equal(isDatedLine(line), true))
  for (const line of [
    'Expires: 2026-12-03',
    'Gültig bis: 03.12.2026',
    'Downtime: 00:28:00',
    'Estimated restoration: 07:30',
    'Durée : 0:12',
    'Version: 2026.11.1 on nas',
    'Address: 10.1.4.22',
  ])
    test(`${line} stays`, () => assert.equal(isDatedLine(line), false))
})

test('the time of a sentence is left out, unless something ends then', () => {
  assert.equal(withoutTimes('nas went down at 2026-11-26 03:12:40.'), 'nas went down.')
  assert.equal(withoutTimes('a échoué le 26/11/2026 à 02:00 sur nas'), 'a échoué sur nas')
  assert.equal(withoutTimes('is Down on 26 Nov 2026 at 3:12:44.'), 'is Down.')
  for (const text of [
    'it expires on 2026-12-03 12:00',
    'not backed up since 2026-11-20 02:00',
    'due on Friday',
  ])
    assert.equal(withoutTimes(text), text)
})

test('a sentence does not begin with how it came to be written', () => {
  assert.equal(withoutLeadIn('We regret to inform you that nas is down.'), 'nas is down.')
  assert.equal(withoutLeadIn('Onze monitoring heeft vastgesteld dat nas uit staat.'), 'nas uit staat.')
  assert.equal(withoutLeadIn('We detected smoke'), 'We detected smoke')
})
