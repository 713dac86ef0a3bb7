/**
 * `node scripts/measure-rogue-memory.ts [SECONDS] [well] [collect]`: memory while notifications go to rogue
 * receivers, or with `well` to as many that answer; with `collect` garbage is collected before each look.
 */
import { measureRogueMemory } from '#bench/load/rogue-memory.ts'

const [seconds = '900', ...words] = process.argv.slice(2)
await measureRogueMemory({
  seconds: Number(seconds),
  isWell: words.includes('well'),
  isCollecting: words.includes('collect'),
})
