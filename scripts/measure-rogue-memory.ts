/** `node scripts/measure-rogue-memory.ts [SECONDS]`: memory while notifications go to rogue receivers. */
import { measureRogueMemory } from '#bench/load/rogue-memory.ts'

await measureRogueMemory(Number(process.argv[2] ?? 240))
