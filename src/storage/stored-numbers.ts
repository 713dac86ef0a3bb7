import { readOnce } from '#storage/database.ts'

/** A number that the owner wrote down, and where. */
export interface StoredNumber {
  readonly place: string
  readonly phoneNumber: string
}

/** The numbers of all people, and the recipients of all webhooks. */
export function readStoredNumbers(file: string): StoredNumber[] {
  return readOnce(file, database => {
    const people = database.prepare('SELECT content FROM person').all()
    const webhooks = database.prepare('SELECT name, recipients FROM webhook').all()
    return [
      ...people
        .map(({ content }) => JSON.parse(String(content)) as { name: string; phoneNumber: string })
        .map(({ name, phoneNumber }) => ({ place: `The person ${name}`, phoneNumber })),
      ...webhooks.flatMap(({ name, recipients }) =>
        (JSON.parse(String(recipients)) as { phoneNumber: string }[]).map(({ phoneNumber }) => ({
          place: `The webhook ${name}`,
          phoneNumber,
        })),
      ),
    ]
  })
}
