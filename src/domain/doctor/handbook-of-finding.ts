import { handbookOfProblem, handbookOfSection } from '#contracts/handbook.ts'
import { HEALTH_CODES } from '#contracts/health.ts'
import type { Diagnosis } from '#domain/doctor/examine.ts'
import type { CheckCode } from '#domain/doctor/facts.ts'

/** The headings of GUIDE.md about the checks. DISK_SPEED has none. */
export const SECTIONS: Readonly<Partial<Record<CheckCode, string>>> = {
  CONFIGURATION: 'configuration',
  GATEWAY: 'troubleshooting',
  SERVICE: 'install-as-a-service',
  PORT: 'troubleshooting',
  PERMISSIONS: 'operating',
  DISK: 'whose-texts-and-for-how-long',
  NUMBER: 'numbers',
  CARD: 'backup',
  BACKUP: 'backup',
  CERTIFICATE: 'https-on-your-lan',
  CLOCK: 'what-is-wrong',
  MEMORY: 'memory',
  DISCOVERY: 'found-on-the-network',
  BROKER: 'home-assistant',
  MODEM: 'a-modem',
}

/** The section of the handbook about a finding; null: there is none. */
export function handbookOfFinding(code: Diagnosis['code']): string | null {
  const problem = HEALTH_CODES.find(known => known === code)
  if (problem !== undefined) return handbookOfProblem(problem)
  const section = SECTIONS[code as CheckCode]
  return section === undefined ? null : handbookOfSection(section)
}
