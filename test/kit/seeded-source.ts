import type { Source } from '#domain/source.ts'
import { hash } from '#storage/source.ts'
import type { Random } from '#test/kit/random.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Identifiers that count up, and secrets from the seed, so that a run can be repeated exactly. */
export function seededSource(random: Random): Source {
  let last = 0
  return {
    id: prefix => prefix + String(++last).padStart(26, '0'),
    secret: prefix => prefix + String(random.below(2 ** 31)).padStart(38, '0'),
    signingSecret: () => `whsec_${String(random.below(2 ** 31)).padStart(44, '0')}`,
    digits: count => String(random.below(10 ** count)).padStart(count, '0'),
    drillCode: () => Array.from({ length: 8 }, () => CROCKFORD[random.below(32)]).join(''),
    hash,
    mac: text => hash(`sealed ${text}`),
    isSameMac: (one, other) => Buffer.compare(one, other) === 0,
  }
}
