/** Another process holds the data directory and does not answer; exit code 75. */
export class DataDirectoryHeld extends Error {
  constructor(path: string) {
    super(`another instance of Roost holds ${path}: wait until it has started or stopped, or stop it`)
    this.name = 'DataDirectoryHeld'
  }
}
