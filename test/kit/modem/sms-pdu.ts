/** The bytes of texts as a modem sees them (3GPP 23.040), as far as the pretend modem needs them. */

/** The default alphabet of 23.038. The space stands for what no test uses. */
const GSM7 =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿' +
  'abcdefghijklmnopqrstuvwxyzäöñüà'

/** A text on its way to the network. */
export interface Submitted {
  readonly phoneNumber: string
  readonly text: string
  /** Which part of how many. */
  readonly part: number
  readonly parts: number
  readonly wantsReport: boolean
}

/** Reads an SMS-SUBMIT, hexadecimal, with the service centre's address in front. */
export function readSubmit(pdu: string): Submitted {
  const bytes = Buffer.from(pdu, 'hex')
  let at = 1 + (bytes[0] ?? 0)
  const first = bytes[at] ?? 0
  at += 2
  const digits = bytes[at] ?? 0
  const isInternational = ((bytes[at + 1] ?? 0) & 0x70) === 0x10
  const octets = Math.ceil(digits / 2)
  const number = unswap(bytes.subarray(at + 2, at + 2 + octets)).slice(0, digits)
  at += 2 + octets
  const coding = bytes[at + 1] ?? 0
  at += 2
  const validity = (first >> 3) & 3
  at += validity === 0 ? 0 : validity === 2 ? 1 : 7
  const length = bytes[at] ?? 0
  const data = bytes.subarray(at + 1)
  const headerOctets = (first & 0x40) !== 0 ? 1 + (data[0] ?? 0) : 0
  const [parts = 1, part = 1] = headerOctets === 0 ? [] : concatenation(data.subarray(1, headerOctets))
  return {
    phoneNumber: isInternational ? `+${number}` : number,
    text: textOf(data, { coding, length, headerOctets }),
    part,
    parts,
    wantsReport: (first & 0x20) !== 0,
  }
}

/** Parts and part of an element for joined texts, which has an 8 or 16 bit reference. */
function concatenation(header: Buffer): number[] {
  const at = header[0] === 0x08 ? 4 : 3
  return [header[at] ?? 1, header[at + 1] ?? 1]
}

function textOf(
  data: Buffer,
  about: { readonly coding: number; readonly length: number; readonly headerOctets: number },
): string {
  const { coding, length, headerOctets } = about
  if ((coding & 0x0c) === 0x08) {
    const bytes = Buffer.from(data.subarray(headerOctets, length))
    return bytes.swap16().toString('utf16le')
  }
  const skipped = Math.ceil((headerOctets * 8) / 7)
  let text = ''
  for (let index = skipped; index < length; index++) {
    const bit = index * 7
    const word = (data[bit >> 3] ?? 0) | ((data[(bit >> 3) + 1] ?? 0) << 8)
    text += GSM7[(word >> (bit & 7)) & 0x7f] ?? ' '
  }
  return text
}

/** A text that the modem received: one SMS-DELIVER for each part, in UCS-2. */
export interface Delivered {
  readonly from: string
  readonly text: string
  readonly at: Date
  /** Distinguishes texts with several parts; 16 bits. */
  readonly reference: number
}

/** The longest part of a joined text in UCS-2, and of a text of one part, characters. */
const PART_LENGTH_MAX = 66
const SINGLE_LENGTH_MAX = 70

export function deliverPdus({ from, text, at, reference }: Delivered): string[] {
  const length = text.length <= SINGLE_LENGTH_MAX ? SINGLE_LENGTH_MAX : PART_LENGTH_MAX
  const pieces = text.match(new RegExp(`[^]{1,${length}}`, 'gu')) ?? ['']
  return pieces.map((piece, index) => {
    const isJoined = pieces.length > 1
    const header = isJoined
      ? [6, 8, 4, (reference >> 8) & 0xff, reference & 0xff, pieces.length, index + 1]
      : []
    const data = Buffer.concat([Buffer.from(header), Buffer.from(piece, 'utf16le').swap16()])
    return Buffer.concat([
      Buffer.from([0, isJoined ? 0x44 : 0x04]),
      address(from),
      Buffer.from([0, 0x08]),
      timestamp(at),
      Buffer.from([data.length]),
      data,
    ]).toString('hex')
  })
}

/** An SMS-STATUS-REPORT. `status`: 0 is delivered, 0x40 and above a failure for good. */
export function statusReportPdu(
  about: { readonly phoneNumber: string; readonly reference: number; readonly status: number },
  at: Date,
): string {
  const parts = [Buffer.from([0, 0x06, about.reference]), address(about.phoneNumber)]
  parts.push(timestamp(at), timestamp(at), Buffer.from([about.status]))
  return Buffer.concat(parts).toString('hex')
}

function address(number: string): Buffer {
  const digits = number.replace('+', '')
  const swapped = swap(digits.length % 2 === 0 ? digits : `${digits}f`)
  return Buffer.concat([Buffer.from([digits.length, number.startsWith('+') ? 0x91 : 0x81]), swapped])
}

/** Seven octets; the time zone is UTC. */
function timestamp(at: Date): Buffer {
  const digits = at.toISOString().replace(/\D/g, '').slice(2, 14)
  return Buffer.concat([swap(digits), Buffer.from([0])])
}

const swap = (digits: string) => Buffer.from(digits.replace(/(.)(.)/g, '$2$1'), 'hex')
const unswap = (bytes: Buffer) => bytes.toString('hex').replace(/(.)(.)/g, '$2$1')
