/**
 * What one account may hold, and what happens at each bound. Every door asks this table, so that an account
 * that grows, or that is attacked, pays for it alone. ARCHITECTURE.md shows the same rows.
 */

export interface AccountBound {
  /** As ARCHITECTURE.md names it. */
  readonly what: string
  readonly most: number
  /** What happens at the bound, as ARCHITECTURE.md says it. */
  readonly answer: string
  /** The refusal of a further one, with `{}` in the place of the number. */
  readonly full?: string
}

/** A further one is refused, until the owner makes room. */
const CONFLICT = '409'
/** A call that names more is not valid. */
const INVALID = '400'

export const ACCOUNT_BOUNDS = {
  /** The writer keeps them in memory. */
  openTexts: {
    most: 50_000,
    what: 'texts that wait or are planned',
    answer:
      '503; codes and alerts have a tenth more; never above half of all places while others have phones',
    full: 'an account has room for {} texts that wait or are planned: try again when some have left',
  },
  /** They are kept as long as others, and no phone slows them down. */
  sandboxTexts: {
    most: 10_000,
    what: 'sandbox texts in a day, if the plan has a number of texts',
    answer: '429',
  },
  /** One transaction accepts them all, and other callers wait for it. */
  recipientsOfCall: {
    most: 100,
    what: 'recipients of one call in the shapes of other gateways',
    answer: INVALID,
  },
  webhooks: {
    most: 200,
    what: 'webhooks',
    answer: CONFLICT,
    full: 'there are {} webhooks already: remove one first',
  },
  alertBodyBytes: { most: 16_000_000, what: 'bytes of kept bodies of alerts', answer: 'the oldest go' },
  /** Each has a number of two digits. */
  openIncidents: {
    most: 98,
    what: 'incidents that are not closed',
    answer:
      'the oldest unanswered one is closed, or the oldest of the webhook that has most; a rehearsal: 409',
    full: 'there are {} incidents that are not closed already: close one first',
  },
  openIncidentsOfWebhook: {
    most: 60,
    what: 'incidents of one webhook that are not closed',
    answer: 'an alert joins the newest',
  },
  incidentThings: {
    most: 1_000,
    what: 'things of one incident',
    answer: 'it can then only be closed by hand',
  },
  closedIncidents: { most: 10_000, what: 'closed incidents', answer: 'the oldest go' },
  phones: {
    most: 1_000,
    what: 'phones, if the plan has no smaller number',
    answer: '409; 403 at the number of the plan',
    full: 'there are {} phones already: remove one first',
  },
  people: {
    most: 200,
    what: 'people',
    answer: CONFLICT,
    full: 'there are {} people already: remove one first',
  },
  /** A trigger texts all of them in one transaction. */
  groupPeople: { most: 200, what: 'people in a group', answer: INVALID },
  groups: {
    most: 50,
    what: 'groups of people',
    answer: CONFLICT,
    full: 'there are {} groups already: remove one first',
  },
  policies: {
    most: 50,
    what: 'policies',
    answer: CONFLICT,
    full: 'there are {} policies already: remove one first',
  },
  rotas: {
    most: 20,
    what: 'rotas',
    answer: CONFLICT,
    full: 'there are {} rotas already: remove one first',
  },
  waitingDeliveries: {
    most: 200_000,
    what: 'deliveries that wait',
    answer: 'the oldest ends as failed',
  },
  users: {
    most: 50,
    what: 'users, invited ones included',
    answer: CONFLICT,
    full: 'an account has at most {} users: remove one first',
  },
  sessionsOfUser: { most: 50, what: 'sessions of a user', answer: 'the oldest ends' },
  keys: {
    most: 100,
    what: 'valid keys',
    answer: CONFLICT,
    full: 'an account has at most {} valid keys: revoke one first',
  },
  /** `everyone` is one. */
  stepTargets: { most: 20, what: 'targets of a step', answer: INVALID },
  overrides: {
    most: 50,
    what: 'overrides of a rota that are not over',
    answer: CONFLICT,
    full: 'there are {} overrides already: remove one first',
  },
  /** A sender has a shape for each kind of its alerts, about five. Each trigger parses all of them. */
  readings: {
    most: 50,
    what: 'settled readings of a webhook',
    answer: CONFLICT,
    full: 'there are {} settled readings already: forget one first',
  },
  pairings: {
    most: 20,
    what: 'open pairing codes',
    answer: CONFLICT,
    full: '{} pairing codes are open: use one, or wait 10 minutes',
  },
  liveSocketsOfUser: {
    most: 16,
    what: 'live sockets of a user',
    answer: CONFLICT,
    full: '{} live sockets of this login are open: close a page',
  },
  liveSockets: {
    most: 64,
    what: 'live sockets',
    answer: CONFLICT,
    full: '{} live sockets of this account are open: close a page',
  },
  /** Fifty people at work. Each session has a limit of its own, and an account may have 2,500. */
  sessionCalls: { most: 3_000, what: 'calls of all sessions in a minute', answer: '429' },
  /** A message takes about four. The listener needs some 40 µs for each, in which all others wait. */
  phoneFrames: { most: 5_000, what: 'frames of phones in a second', answer: 'the socket is closed' },
  mailsPerMinute: { most: 120, what: 'mails in a minute', answer: '451' },
  mailConnections: { most: 8, what: 'connections for mail that named one of its webhooks', answer: '451' },
  largeBodies: {
    most: 8,
    what: 'bodies above 64 KiB that are being read',
    answer: '503 with `Retry-After`',
    full: '{} bodies above 64 KiB of this account are being read: try again in 5 s',
  },
  extraTexts: {
    most: 100,
    what: 'texts to people beyond the day of the plan; a third is kept for critical and unknown alerts',
    answer: 'one last text to each says so',
  },
  rehearsals: {
    most: 5,
    what: 'rehearsals in an hour',
    answer: CONFLICT,
    full: 'there were {} rehearsals in this hour already: try again later',
  },
  drills: { most: 12, what: 'drills of a phone in a day', answer: '429' },
  optOuts: {
    most: 100_000,
    what: 'numbers that want no texts',
    answer: CONFLICT,
    full: 'there are {} numbers that want no texts already: remove one first',
  },
  /** Each received text looks at all of them. */
  forwards: {
    most: 20,
    what: 'forwards',
    answer: CONFLICT,
    full: 'there are {} forwards already: remove one first',
  },
  /** Each free phone looks at all of them. */
  deviceGroups: {
    most: 20,
    what: 'groups of phones',
    answer: CONFLICT,
    full: 'there are {} groups already: remove one first',
  },
  /** A SIM gets a few thousand a day at most. A phone that lies could hand in more. */
  receivedTexts: { most: 200_000, what: 'received texts', answer: 'the oldest go' },
  auditEntries: { most: 200_000, what: 'entries of the audit list, for 400 days', answer: 'the oldest go' },
} as const satisfies Readonly<Record<string, AccountBound>>
