import type { Writer } from '#contracts/commands.ts'
export async function serveControl(_path: string, _writer: Writer): Promise<{ close(): void }> {
  return { close() {} }
}
