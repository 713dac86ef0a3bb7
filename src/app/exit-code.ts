export const EXIT = { ok: 0, failed: 1, usage: 2, anotherInstance: 75 } as const
