/**
 * Was an index of numbers that 019 makes in another shape. No release had it: a database that is updated from
 * an earlier schema need not spend minutes on it, and one that has it loses it in 019.
 */
export const messageNumbers = ''
