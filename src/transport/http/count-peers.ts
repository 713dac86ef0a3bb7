/**
 * Connections by remote address, from the kernel's tables. When a connection closes, the library no longer
 * reports its address, so counting opens and closes is not possible.
 *
 * A key is an IPv4 address, or the /64 of an IPv6 one, as the kernel writes it: words of four bytes, each
 * with its last byte first. Connections that wait to be accepted count, too.
 *
 * @see proc_pid_net(5)
 */
import { readFileSync } from 'node:fs'
import { addressFromBytes } from '#domain/network/address.ts'

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
/** `::ffff:` before an IPv4 address. */
const MAPPED = '0000000000000000FFFF0000'
const KEY_OF_IPV6_LENGTH = 16
/** 127.0.0.1, and ::1, whose /64 has no other address in use. */
const OWN_KEYS = new Set(['0100007F', '0000000000000000'])

/** The open connections to these ports; null where the system does not list them. */
export function countPeers(ports: readonly number[]): Map<string, number> | null {
  const counts = new Map<string, number>()
  let found = false
  for (const file of TABLES) {
    const table = readTable(file)
    found ||= table !== null
    addPeers(counts, table ?? '', ports)
  }
  return found ? counts : null
}

/** Adds what one table says: connections that are established, or half closed by their other end. */
export function addPeers(counts: Map<string, number>, table: string, ports: readonly number[]): void {
  const hex = ports.map(port => port.toString(16).toUpperCase().padStart(4, '0')).join('|')
  const row = new RegExp(`: [0-9A-F]+:(?:${hex}) ([0-9A-F]+):[0-9A-F]{4} 0[18] `, 'g')
  for (const [, address = ''] of table.matchAll(row)) {
    const key = keyOfHex(address)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
}

/** The key of a socket's other end, given its 4 or 16 bytes; empty for one that is gone. */
export function peerKey(remote: ArrayBuffer): string {
  const bytes = addressFromBytes(new Uint8Array(remote))?.bytes ?? []
  const words = []
  for (let at = 0; at < bytes.length; at += 4) words.push(Buffer.from(bytes.slice(at, at + 4).reverse()))
  return keyOfHex(Buffer.concat(words).toString('hex').toUpperCase())
}

/** Whether it is this machine: a proxy on it has many clients. */
export function isOwnPeer(key: string): boolean {
  return OWN_KEYS.has(key)
}

function keyOfHex(hex: string): string {
  return hex.startsWith(MAPPED) ? hex.slice(MAPPED.length) : hex.slice(0, KEY_OF_IPV6_LENGTH)
}

function readTable(file: string): string | null {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return null
  }
}
