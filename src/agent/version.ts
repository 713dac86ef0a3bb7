/** The agent's version in `hello`. It is a constant because the single-file bundle has no package.json. */
export const AGENT_VERSION = '0.1.0'
