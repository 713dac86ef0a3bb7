// A clock that a script moves, for all threads of a program: NODE_OPTIONS=--require THIS, FAST_CLOCK=FILE.
// FILE holds two doubles. The first is the time that has passed, in milliseconds ahead of the real one: all
// clocks and timers follow it. By the second the wall clock alone is wrong.
'use strict'

if (process.env.FAST_CLOCK) follow(process.env.FAST_CLOCK)

function follow(path) {
  const fs = require('node:fs')
  const { performance } = require('node:perf_hooks')
  const RealDate = Date
  const real = {
    now: performance.now.bind(performance),
    hrtime: process.hrtime.bigint,
    set: setTimeout,
    clear: clearTimeout,
    wait: Atomics.wait,
  }
  const file = fs.openSync(path, 'r')
  const read = fs.readSync
  const buffer = Buffer.alloc(16)
  let readAt = Number.NEGATIVE_INFINITY
  let passedMs = 0
  let wrongMs = 0
  const look = () => {
    const at = real.now()
    if (at - readAt < 0.5) return
    readAt = at
    read(file, buffer, 0, 16, 0)
    passedMs = buffer.readDoubleLE(0)
    wrongMs = buffer.readDoubleLE(8)
  }
  const monoMs = () => {
    look()
    return real.now() + passedMs
  }
  const wallMs = () => Math.floor(performance.timeOrigin + monoMs() + wrongMs)

  performance.now = monoMs
  const hrtime = () => {
    look()
    return real.hrtime() + BigInt(Math.round(passedMs * 1e6))
  }
  process.hrtime = hrtimeOf(hrtime)
  globalThis.Date = class MovedDate extends RealDate {
    constructor(...parts) {
      if (parts.length === 0) super(wallMs())
      else super(...parts)
    }
    static now() {
      return wallMs()
    }
  }
  // What sleeps while time is moved must not sleep on by the real clock.
  Atomics.wait = (array, index, value, ms) => real.wait(array, index, value, ms > 500 && ms < 1e9 ? 5 : ms)

  /** Timers that have not fired, by the number that stands for each. */
  const waiting = new Map()
  replaceTimers({ Timer: timerClass({ real, monoMs, waiting }), real, waiting })

  let seen = passedMs
  const moved = () => {
    readAt = Number.NEGATIVE_INFINITY
    look()
    if (passedMs === seen) return
    seen = passedMs
    const now = monoMs()
    const due = [...waiting.values()].filter(timer => timer.dueMs <= now)
    for (const timer of due.sort((one, other) => one.dueMs - other.dueMs)) timer.fire()
    for (const timer of waiting.values()) timer.place()
  }
  const watch = () => {
    moved()
    real.set(watch, 5).unref()
  }
  watch()
}

function hrtimeOf(bigint) {
  const hrtime = ([seconds, ns] = [0, 0]) => {
    const passed = bigint() - BigInt(seconds) * 1_000_000_000n - BigInt(ns)
    return [Number(passed / 1_000_000_000n), Number(passed % 1_000_000_000n)]
  }
  return Object.assign(hrtime, { bigint })
}

/** @returns timers that follow the clock `monoMs`. */
function timerClass({ real, monoMs, waiting }) {
  return class Timer {
    static #last = 0
    #id = ++Timer.#last
    #isHeld = true
    constructor(run, ms, args, repeats) {
      this.ms = ms >= 1 && ms <= 2_147_483_647 ? Number(ms) : 1
      Object.assign(this, { run, args, repeats })
      this.refresh()
    }
    refresh() {
      this.dueMs = monoMs() + this.ms
      waiting.set(this.#id, this)
      this.place()
      return this
    }
    place() {
      real.clear(this.native)
      this.native = real.set(() => this.fire(), Math.max(1, this.dueMs - monoMs()))
      if (!this.#isHeld) this.native.unref()
    }
    fire() {
      if (!waiting.has(this.#id)) return
      if (monoMs() < this.dueMs - 1) return this.place()
      if (this.repeats) this.refresh()
      else this.close()
      this.run(...this.args)
    }
    close() {
      waiting.delete(this.#id)
      real.clear(this.native)
      return this
    }
    ref() {
      this.#isHeld = true
      this.native.ref()
      return this
    }
    unref() {
      this.#isHeld = false
      this.native.unref()
      return this
    }
    hasRef() {
      return this.#isHeld
    }
    [Symbol.toPrimitive]() {
      return this.#id
    }
    [Symbol.dispose]() {
      this.close()
    }
  }
}

function replaceTimers({ Timer, real, waiting }) {
  const timers = require('node:timers')
  const promises = require('node:timers/promises')
  const { syncBuiltinESMExports } = require('node:module')
  const { promisify } = require('node:util')
  const set = (run, ms, ...args) => new Timer(run, ms, args, false)
  const repeat = (run, ms, ...args) => new Timer(run, ms, args, true)
  const clear = timer => {
    const found = timer instanceof Timer ? timer : waiting.get(Number(timer))
    if (found === undefined) real.clear(timer)
    else found.close()
  }
  const pause = (ms, value, { signal, ref = true } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const timer = set(() => resolve(value), ms)
      if (!ref) timer.unref()
      signal?.addEventListener('abort', () => {
        timer.close()
        reject(signal.reason)
      })
    })
  Object.defineProperty(set, promisify.custom, { value: pause })
  promises.setTimeout = pause
  for (const place of [globalThis, timers]) {
    Object.assign(place, { setTimeout: set, setInterval: repeat, clearTimeout: clear, clearInterval: clear })
  }
  syncBuiltinESMExports()
}
