/**
 * `node scripts/measure-rogue-memory.ts [SECONDS] [well] [collect]`: prints the memory of the gateway while
 * its notifications go to misbehaving receivers. `well`: uses receivers that answer instead. `collect`:
 * collects garbage before each measurement.
 */
import { measureRogueMemory } from '#bench/load/rogue-memory.ts'

const [seconds = '900', ...words] = process.argv.slice(2)
await measureRogueMemory({
  seconds: Number(seconds),
  isHealthy: words.includes('well'),
  isCollecting: words.includes('collect'),
})
