/**
 * Does nothing. This step once made an index of phone numbers, in a form that was never released; 019 makes
 * the final one. Without the index, an update from an earlier schema saves minutes. 019 removes the index
 * from a database that has it.
 */
export const messageNumbers = ''
