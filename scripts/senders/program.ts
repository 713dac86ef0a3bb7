/** A program that sends alerts, and what comes of them. */
export interface Program {
  /** Those of a tree of its own, if others exclude it. */
  readonly packages?: string
  /** A package of npm with its version; it lies in /opt/node_modules. */
  readonly npm?: string
  /**
   * The files in the tree. ADDRESS, GATEWAY, TOKEN, `$port` and `$port2` are filled in. This process holds
   * the UDP ports of these numbers on 127.0.0.1, so that a program takes those of 127.0.0.2.
   */
  readonly files: Readonly<Record<string, string>>
  /** Commands of the shell in the tree, up to the problem. */
  readonly problem: string
  /** Commands that run once each text is read, up to the end. */
  readonly steps: readonly string[]
  /** How each text begins. */
  readonly texts: readonly string[]
  /** How many of them ask, the first ones. By default one for each incident. */
  readonly asks?: number
  /** Whether the webhook gathers. */
  readonly gather?: boolean
  /** The incidents, the oldest first. By default one that its sender closed. */
  readonly incidents?: readonly string[]
}

export const BIN = '/usr/local/bin'
export const CLOSED = 'closed by sender'
export const OPEN = 'open by null'
