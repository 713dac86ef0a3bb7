/** `node scripts/kill-notifications.ts [ROUNDS]`: kills a gateway that often and counts what came. */
import { killNotifications } from '#test/kit/kill-notifications.ts'

const rounds = Number(process.argv[2] ?? 200)
const report = await killNotifications(rounds, Math.random)
console.log(JSON.stringify({ rounds, ...report }))
