/**
 * Counts the connections of each remote address from the kernel's tables. The library does not report the
 * address of a connection that closes, so the connections cannot be counted as they open and close.
 *
 * A key is an IPv4 address or an IPv6 /64 as the kernel writes it: hexadecimal words of four bytes in reverse
 * order. Connections that wait to be accepted are counted, too.
 *
 * @see proc_pid_net(5)
 */
import { readFileSync } from 'node:fs'
import { addressFromBytes } from '#domain/network/address.ts'

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
/** The prefix `::ffff:` of an IPv4 address in an IPv6 socket. */
const MAPPED = '0000000000000000FFFF0000'
const KEY_OF_IPV6_LENGTH = 16
/** The keys of 127.0.0.1 and of ::1; no other address of that /64 is in use. */
const OWN_KEYS = new Set(['0100007F', '0000000000000000'])

/** The number of open connections to these ports, by key; null: the system does not list connections. */
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

/** Adds the connections of one table that are established (01) or half closed by the peer (08). */
export function addPeers(counts: Map<string, number>, table: string, ports: readonly number[]): void {
  const hex = ports.map(port => port.toString(16).toUpperCase().padStart(4, '0')).join('|')
  const row = new RegExp(`: [0-9A-F]+:(?:${hex}) ([0-9A-F]+):[0-9A-F]{4} 0[18] `, 'g')
  for (const [, address = ''] of table.matchAll(row)) {
    const key = keyOfHex(address)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
}

/** The key of a remote address of 4 or 16 bytes; empty: the socket is closed. */
export function peerKey(remote: ArrayBuffer): string {
  const bytes = addressFromBytes(new Uint8Array(remote))?.bytes ?? []
  const words = []
  for (let at = 0; at < bytes.length; at += 4) words.push(Buffer.from(bytes.slice(at, at + 4).reverse()))
  return keyOfHex(Buffer.concat(words).toString('hex').toUpperCase())
}

/** Whether the peer is this machine, which has no limit: a proxy on this machine may have many clients. */
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
