const TAIL_DIGITS_MAX = 4
const HEAD_DIGITS_MAX = 4
const HIDDEN_DIGITS_MIN = 3

/** `+14155550123` → `+1415•••0123`: enough to tell two numbers apart, too little to call one. */
export function maskNumber(phoneNumber: string): string {
  const digits = phoneNumber.replace(/\D/g, '')
  const tail = Math.min(TAIL_DIGITS_MAX, Math.max(0, digits.length - HIDDEN_DIGITS_MIN))
  const head = Math.min(HEAD_DIGITS_MAX, Math.max(0, digits.length - tail - HIDDEN_DIGITS_MIN))
  return `+${digits.slice(0, head)}•••${digits.slice(digits.length - tail)}`
}
