/** Waits for real time, for tests with etcd: its leases follow no clock of ours. */
export function realPause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
