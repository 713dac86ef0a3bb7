/** A short name for a long text: FNV-1a, 32 bits, as eight hexadecimal digits. */
export function hashText(text: string, start = 0x811c9dc5): string {
  let value = start
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return (value >>> 0).toString(16).padStart(8, '0')
}
