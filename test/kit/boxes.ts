/**
 * Machines on this one (Linux, as root): each has a network of its own behind a bridge, a disk of its own
 * (ext4 in a file), and keepalived with the recipe of GUIDE.md. A test cuts their network, fills their disk
 * or lets it hang, and cuts their power: then what was not synced is gone, because the file system writes
 * nothing any more.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OneAddress } from '#test/kit/cluster-rig.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import type { Machine } from '#test/kit/machine.ts'
import { fillWith } from '#test/kit/small-disk.ts'
import { LeaderWatch } from '#test/kit/switched-address.ts'

/** etcd reserves 64 MB at once. */
const DISK_BYTES = 500_000_000
/** ext4 writes what nobody synced only after this time, seconds. */
const UNSYNCED_S = 300
/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH, as the power cuts of xfstests. */
const STOP_WRITING =
  'my $how = pack("I", 2); for (@ARGV) { open(F, "<", $_) or die; ioctl(F, 0x8004587d, $how) or die $! }'

interface Box extends Machine {
  readonly link: string
  /** The file with its disk. */
  image: string
  readonly filler: string
}

/** Why such machines cannot be made here; false if they can. */
export function boxesMissing(): string | false {
  try {
    const name = `rb${process.pid}`
    run('ip', 'netns', 'add', name)
    run('ip', 'netns', 'del', name)
    for (const program of ['keepalived', 'mkfs.ext4', 'curl', 'perl']) run('which', program)
    return false
  } catch {
    return 'needs root, iproute2, keepalived, e2fsprogs, curl and perl'
  }
}

export class Boxes {
  readonly machines: readonly Box[]
  /** The address of this machine, as the boxes see it. */
  readonly here: string
  readonly #folder: string
  readonly #network: string
  readonly #keepalived: ReturnType<typeof spawn>[] = []
  #cuts = 0

  private constructor(folder: string, network: string, machines: readonly Box[]) {
    this.#folder = folder
    this.#network = network
    this.here = `${network}.254`
    this.machines = machines
  }

  static start(t: Cleaner, count: number): Boxes {
    const number = process.pid % 250
    const folder = mkdtempSync(join(tmpdir(), 'roost-boxes-'))
    const network = `10.77.${number}`
    const bridge = `rb${number}`
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    run('ip', 'link', 'add', bridge, 'type', 'bridge')
    t.after(() => run('ip', 'link', 'del', bridge))
    run('ip', 'address', 'add', `${network}.254/24`, 'dev', bridge)
    run('ip', 'link', 'set', bridge, 'up')
    const boxes = Array.from({ length: count }, (_, index): Box => {
      const [name, link] = [`rb${number}-${index}`, `rb${number}v${index}`]
      const home = join(folder, `box${index}`)
      return {
        folder: home,
        host: `${network}.${index + 1}`,
        under: ['nsenter', `--net=/run/netns/${name}`, '--'],
        link,
        image: `${home}.img`,
        filler: join(home, 'filler'),
      }
    })
    for (const [index, box] of boxes.entries()) {
      const name = `rb${number}-${index}`
      run('ip', 'netns', 'add', name)
      t.after(() => run('ip', 'netns', 'del', name))
      run('ip', 'link', 'add', box.link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
      run('ip', 'link', 'set', box.link, 'master', bridge, 'up')
      for (const device of ['lo', 'eth0']) run('ip', '-n', name, 'link', 'set', device, 'up')
      run('ip', '-n', name, 'address', 'add', `${box.host}/24`, 'dev', 'eth0')
      mkdirSync(box.folder)
      writeFileSync(box.image, '')
      truncateSync(box.image, DISK_BYTES)
      run('mkfs.ext4', '-q', '-F', '-m', '0', box.image)
      mount(box)
      t.after(() => run('umount', '-l', box.folder))
    }
    const made = new Boxes(folder, network, boxes)
    t.after(() => made.#stopKeepalived())
    return made
  }

  /** The address that keepalived moves to the leader. */
  readonly openAddress = async (urls: readonly string[]): Promise<OneAddress> => {
    const port = Number(new URL(urls[0] ?? '').port)
    const host = `${this.#network}.100`
    for (const box of this.machines) this.#runKeepalived(box, { host, port })
    const watch = new LeaderWatch(urls)
    return Object.assign(watch, { host, port })
  }

  /** Cuts the network of a box, until the returned function is called. */
  cut(index: number): () => void {
    const { link } = this.#box(index)
    run('ip', 'link', 'set', link, 'down')
    return () => run('ip', 'link', 'set', link, 'up')
  }

  /** Fills the disk of a box, until the returned function is called. */
  fill(index: number): () => void {
    const { folder, filler } = this.#box(index)
    const { bavail, bsize } = statfsSync(folder)
    run('fallocate', '-l', String(bavail * bsize - 1_000_000), filler)
    fillWith(filler)
    return () => rmSync(filler)
  }

  /** Lets no write to the disk of a box return, until the returned function is called. */
  freeze(index: number): () => void {
    const { folder } = this.#box(index)
    run('fsfreeze', '--freeze', folder)
    return () => run('fsfreeze', '--unfreeze', folder)
  }

  /** Cuts the power of boxes at one moment. `end`: ends their programs, which can write nothing any more. */
  async cutPower(indexes: readonly number[], end: () => Promise<unknown>): Promise<void> {
    const boxes = indexes.map(index => this.#box(index))
    run('perl', '-e', STOP_WRITING, ...boxes.map(({ folder }) => folder))
    await end()
    for (const box of boxes) {
      // A program with mounts of its own may keep the old disk in use, and then it could not be mounted anew.
      run('umount', '-l', box.folder)
      const old = box.image
      box.image = `${box.folder}.${this.#cuts++}.img`
      run('cp', '--sparse=always', old, box.image)
      rmSync(old)
      mount(box)
    }
  }

  #box(index: number): Box {
    const box = this.machines[index]
    if (box === undefined) throw new RangeError(`no box ${index}`)
    return box
  }

  #runKeepalived(
    { under, folder }: Box,
    { host, port }: { readonly host: string; readonly port: number },
  ): void {
    const file = `${folder}.keepalived.conf`
    writeFileSync(file, recipe(host, port), { mode: 0o644 })
    const [command = '', ...first] = under
    const pids = ['-p', `${folder}.pid`, '-r', `${folder}.vrrp.pid`]
    const options = ['keepalived', '--dont-fork', '--log-console', '--vrrp', '-f', file, ...pids]
    this.#keepalived.push(spawn(command, [...first, ...options], { stdio: 'ignore', cwd: this.#folder }))
  }

  async #stopKeepalived(): Promise<void> {
    for (const child of this.#keepalived) {
      if (child.exitCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
  }
}

/** As in GUIDE.md, with another address. */
function recipe(host: string, port: number): string {
  return `
global_defs {
    script_user root
    vrrp_version 3
}
vrrp_script leads {
    script "/usr/bin/curl -fs -m 1 -o /dev/null http://127.0.0.1:${port}/leaderz"
    interval 1
    fall 2
    rise 1
}
vrrp_instance roost {
    state BACKUP
    interface eth0
    virtual_router_id 51
    advert_int 0.2
    priority 100
    nopreempt
    virtual_ipaddress { ${host}/24 }
    track_script { leads }
}
`
}

function mount({ image, folder }: Box): void {
  run('mount', '-o', `loop,commit=${UNSYNCED_S}`, image, folder)
}

function run(...[command = '', ...args]: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
