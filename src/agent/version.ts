/** What the agent calls itself in `hello`; the single-file bundle has no package.json to read. */
export const AGENT_VERSION = '0.1.0'
