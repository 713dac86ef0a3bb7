import { type Adapter, titleOf } from '#domain/forward/forward.ts'

/** The mail goes through the server of `[mail]`. A repeat has the same Message-ID, so mailboxes can tell. */
export const email: Adapter = {
  url: 'no',
  target: 'must',
  credential: 'no',
  faultOfTarget: target =>
    /^[^\s@,;<>"()]+@[^\s@,;<>"()]+$/.test(target) ? null : 'must be one e-mail address',
  request: ({ target }, text) => ({
    via: 'mail',
    to: target ?? '',
    subject: titleOf(text),
    text: `${text.text}\n\n${titleOf(text)}, received ${text.receivedAt}\n`,
    id: `${text.id}@roost`,
  }),
}
