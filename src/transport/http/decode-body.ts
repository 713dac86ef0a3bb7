import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { Problem } from '#domain/problem.ts'

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer

/** The content codings of HTTP (RFC 9110, section 8.4.1, and RFC 8878). */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
])

/**
 * Unpacks a body that its sender compressed. Bytes that are not compressed as `encoding` says stay as they
 * are, because some senders declare a coding that they do not use.
 *
 * @throws Problem PAYLOAD_TOO_LARGE when the unpacked body is longer than `bytesMax`
 */
export function decodeBody(bytes: Buffer, encoding: string, bytesMax: number): Buffer {
  const decode = DECODERS.get(encoding.trim().toLowerCase())
  if (decode === undefined) return bytes
  try {
    return decode(bytes, { maxOutputLength: bytesMax })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return bytes
    throw new Problem('PAYLOAD_TOO_LARGE', `the unpacked body is longer than ${bytesMax} bytes`)
  }
}
