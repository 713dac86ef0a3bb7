import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { Problem } from '#domain/problem.ts'

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer

/** The content codings of HTTP (RFC 9110, section 8.4.1, and RFC 8878). */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateEither],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
])

/** With the header of zlib, as the standard says, or without it, as old programs send it. */
function inflateEither(bytes: Buffer, options: { readonly maxOutputLength: number }): Buffer {
  // The low bits of the first byte name the method of zlib, and both bytes together are a multiple of 31.
  const head = bytes.length < 2 ? 0 : bytes.readUInt16BE(0)
  return (head & 0xf00) === 0x800 && head % 31 === 0
    ? inflateSync(bytes, options)
    : inflateRawSync(bytes, options)
}

/**
 * Largest window of brotli, as a power of two. The decoder fills its window before it gives any output, so a
 * few bytes cost the time for a whole window. 4 MiB is the default of the encoders, and takes 10 ms.
 */
const BROTLI_WINDOW_BITS_MAX = 22

/** Whether the body is packed in a way that `decodeBody` unpacks. */
export function isPacked(encoding: string | undefined): boolean {
  return encoding !== undefined && DECODERS.has(nameOf(encoding))
}

/**
 * Unpacks a body that its sender packed. Bytes that are not packed as `encoding` says stay as they are,
 * because some senders declare a coding that they do not use. `isKnown`: whether the caller is known. The
 * brotli of a stranger is refused, because unpacking it takes long.
 *
 * @throws Problem PAYLOAD_TOO_LARGE when the unpacked body is longer than `bytesMax`; UNSUPPORTED_MEDIA_TYPE
 */
export function decodeBody(
  bytes: Buffer,
  encoding: string,
  { bytesMax, isKnown }: { readonly bytesMax: number; readonly isKnown: boolean },
): Buffer {
  const name = nameOf(encoding)
  const decode = DECODERS.get(name)
  if (decode === undefined) return bytes
  if (name === 'br' && (!isKnown || windowBitsOf(bytes[0] ?? 0) > BROTLI_WINDOW_BITS_MAX)) {
    if (isUtf8(bytes)) return bytes
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'this body may not be packed with br: use gzip instead')
  }
  try {
    return decode(bytes, { maxOutputLength: bytesMax })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return bytes
    throw new Problem('PAYLOAD_TOO_LARGE', `the unpacked body is longer than ${bytesMax} bytes`)
  }
}

function nameOf(encoding: string): string {
  return encoding.trim().toLowerCase()
}

/** The size of a brotli stream's window, from its first byte (RFC 7932, section 9.1). */
function windowBitsOf(first: number): number {
  if ((first & 1) === 0) return 16
  const upper = (first >> 1) & 7
  // The other values, up to 17 bits, are coded in further bits.
  return upper === 0 ? 17 : 17 + upper
}
