const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bCriOS\/|\b(?:Headless)?Chrome\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `Firefox on Linux`, from the header `User-Agent`: enough for people to tell their own browsers apart. */
export function nameBrowser(userAgent: string): string {
  const found = (table: typeof BROWSERS) => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = found(BROWSERS)
  const system = found(SYSTEMS)
  if (browser === undefined) return system === undefined ? 'unknown' : `unknown on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
