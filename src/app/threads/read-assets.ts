import { readFileSync } from 'node:fs'
import { assetFile } from '#app/threads/entries.ts'
import { readConsole } from '#app/threads/read-console.ts'

/** Built files that the gateway serves. */
export function readAssets() {
  return { agentFile: readAgent(), consoleFiles: readConsole() }
}

function readAgent(): Uint8Array | null {
  try {
    return readFileSync(assetFile('agent.mjs'))
  } catch {
    return null
  }
}
