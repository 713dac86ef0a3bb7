import { readFileSync } from 'node:fs'
import { assetFile } from '#app/threads/entries.ts'
import type { ConsoleFile } from '#contracts/console-files.ts'

/**
 * The built files that the gateway serves: agent, console, API description and handbook. Each function reads
 * its files at the first call and keeps them, because most gateways never need the largest, the API
 * description. Null: this build does not have the file.
 */
export function openAssets() {
  return {
    agentFile: once(() => readOrNull('agent.mjs')),
    consoleFiles: once(() => readFiles('console.json')),
    docsFiles: once(() => readFiles('docs.json')),
    handbookFiles: once(() => readFiles('handbook.json')),
  }
}

function once<T>(read: () => T): () => T {
  let kept: { readonly value: T } | null = null
  return () => {
    kept ??= { value: read() }
    return kept.value
  }
}

/** Reads files in the format that `scripts/bundle-console.mjs` writes. */
function readFiles(name: string): readonly ConsoleFile[] | null {
  const text = readOrNull(name)?.toString()
  if (text === undefined) return null
  const bytes = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64')
  return (JSON.parse(text) as readonly Record<string, string>[]).map(file => ({
    path: file['path'] ?? '',
    contentType: file['contentType'] ?? '',
    plain: bytes(file['plain']),
    gzip: bytes(file['gzip']),
    br: bytes(file['br']),
  }))
}

function readOrNull(name: string): Buffer | null {
  try {
    return readFileSync(assetFile(name))
  } catch {
    return null
  }
}
