/**
 * Loaded into every thread of a gateway (`node --import`): writes an empty file named
 * `<thread id of Linux> <name>`, so that the bench can tell the threads of the process apart.
 */
import { readlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const directory = process.env['BENCH_THREADS']
// In the bundle every thread starts from one file, and its own file is the last argument.
const name = isMainThread ? 'main' : basename(process.argv.at(-1) ?? '').replace(/\..*$/, '')

if (directory !== undefined)
  writeFileSync(join(directory, `${basename(readlinkSync('/proc/thread-self'))} ${name}`), '')
