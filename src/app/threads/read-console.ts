import { readFileSync } from 'node:fs'
import { assetFile } from '#app/threads/entries.ts'
import type { ConsoleFile } from '#contracts/console-files.ts'

/** The files of the console as `scripts/bundle-console.mjs` wrote them; null when this build has none. */
export function readConsole(): readonly ConsoleFile[] | null {
  let text: string
  try {
    text = readFileSync(assetFile('console.json'), 'utf8')
  } catch {
    return null
  }
  const bytes = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64')
  return (JSON.parse(text) as readonly Record<string, string>[]).map(file => ({
    path: file['path'] ?? '',
    contentType: file['contentType'] ?? '',
    plain: bytes(file['plain']),
    gzip: bytes(file['gzip']),
    br: bytes(file['br']),
  }))
}
