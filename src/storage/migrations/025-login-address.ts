/** Addresses of earlier logins are no longer remembered: logins are counted by address and account alone. */
export const dropLoginAddress = `
DROP TABLE login_address;
`
