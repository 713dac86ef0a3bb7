/** Plays polkit on a bus: allows every action but those in a set. */
import { createClient } from 'dbus-native'
import type { Cleaner } from '#test/kit/gateway-process.ts'

const NAME = 'org.freedesktop.PolicyKit1'

/** `refused`: names of actions; may change at any time. */
export async function startPolkit(t: Cleaner, address: string, refused: ReadonlySet<string>): Promise<void> {
  const client = createClient({ busAddress: address })
  t.after(() => client.close())
  client.connection.on('error', () => undefined)
  client.exportInterface(
    {
      CheckAuthorization: (_subject: unknown, action: string) => [!refused.has(action), false, []],
      BackendName: 'pretend',
      BackendVersion: '1',
      BackendFeatures: 0,
    },
    '/org/freedesktop/PolicyKit1/Authority',
    {
      name: `${NAME}.Authority`,
      methods: { CheckAuthorization: ['(sa{sv})sa{ss}us', '(bba{ss})', [], []] },
      properties: { BackendName: 's', BackendVersion: 's', BackendFeatures: 'u' },
    },
  )
  await client.requestName(NAME, 0)
}
