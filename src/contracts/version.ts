import about from '#package.json' with { type: 'json' }

/** The version of this program, of its agent and of its API. It stands in package.json alone. */
export const VERSION: string = about.version
