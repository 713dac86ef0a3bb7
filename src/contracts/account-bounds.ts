/**
 * What one account may hold. Every door asks this table, so that an account that grows, or that is attacked,
 * pays for it alone. A comment says what is counted, and what happens at the bound: a status of HTTP is that
 * of the refusal, 451 is the mail server's.
 */

export interface AccountBound {
  readonly most: number
  /** The refusal of a further one, with `{}` in the place of the number. */
  readonly full?: string
}

export const ACCOUNT_BOUNDS = {
  /**
   * Texts that wait or are planned: 503; codes and alerts have a tenth more; never above half of all places
   * while others have phones. The writer keeps them in memory.
   */
  openTexts: {
    most: 50_000,
    full: 'an account has room for {} texts that wait or are planned: try again when some have left',
  },
  /**
   * Sandbox texts in a day, if the plan has a number of texts: 429. They are kept as long as others, and no
   * phone slows them down.
   */
  sandboxTexts: { most: 10_000 },
  /**
   * Recipients of one call in the shapes of other gateways: 400. One transaction accepts them all, and other
   * callers wait for it.
   */
  recipientsOfCall: { most: 100 },
  /** Webhooks: 409. */
  webhooks: { most: 200, full: 'there are {} webhooks already: remove one first' },
  /** Bytes of kept bodies of alerts: the oldest go. */
  alertBodyBytes: { most: 16_000_000 },
  /**
   * Incidents that are not closed: the oldest unanswered one is closed, or the oldest of the webhook that
   * has most; a rehearsal: 409. Each has a number of two digits.
   */
  openIncidents: { most: 98, full: 'there are {} incidents that are not closed already: close one first' },
  /** Incidents of one webhook that are not closed: an alert joins the newest. */
  openIncidentsOfWebhook: { most: 60 },
  /** Things of one incident: it can then only be closed by hand. */
  incidentThings: { most: 1_000 },
  /** Closed incidents: the oldest go. */
  closedIncidents: { most: 10_000 },
  /** Phones, if the plan has no smaller number: 409; 403 at the number of the plan. */
  phones: { most: 1_000, full: 'there are {} phones already: remove one first' },
  /** People: 409. */
  people: { most: 200, full: 'there are {} people already: remove one first' },
  /** People in a group: 400. A trigger texts all of them in one transaction. */
  groupPeople: { most: 200 },
  /** Groups of people: 409. */
  groups: { most: 50, full: 'there are {} groups already: remove one first' },
  /** Policies: 409. */
  policies: { most: 50, full: 'there are {} policies already: remove one first' },
  /** Rotas: 409. */
  rotas: { most: 20, full: 'there are {} rotas already: remove one first' },
  /** Deliveries that wait: the oldest ends as failed. */
  waitingDeliveries: { most: 200_000 },
  /** Users, invited ones included: 409. */
  users: { most: 50, full: 'an account has at most {} users: remove one first' },
  /** Sessions of a user: the oldest ends. */
  sessionsOfUser: { most: 50 },
  /** Valid keys: 409. */
  keys: { most: 100, full: 'an account has at most {} valid keys: revoke one first' },
  /** Targets of a step: 400. `everyone` is one. */
  stepTargets: { most: 20 },
  /** Overrides of a rota that are not over: 409. */
  overrides: { most: 50, full: 'there are {} overrides already: remove one first' },
  /**
   * Settled readings of a webhook: 409. A sender has a shape for each kind of its alerts, about five. Each
   * trigger parses all of them.
   */
  readings: { most: 50, full: 'there are {} settled readings already: forget one first' },
  /** Open pairing codes: 409. */
  pairings: { most: 20, full: '{} pairing codes are open: use one, or wait 10 minutes' },
  /** Live sockets of a user: 409. */
  liveSocketsOfUser: { most: 16, full: '{} live sockets of this login are open: close a page' },
  /** Live sockets: 409. */
  liveSockets: { most: 64, full: '{} live sockets of this account are open: close a page' },
  /**
   * Calls of all sessions in a minute: 429. Fifty people at work. Each session has a limit of its own, and
   * an account may have 2,500.
   */
  sessionCalls: { most: 3_000 },
  /**
   * Frames of phones in a second: the socket is closed. A message takes about four. The listener needs some
   * 40 µs for each, in which all others wait.
   */
  phoneFrames: { most: 5_000 },
  /** Mails in a minute: 451. */
  mailsPerMinute: { most: 120 },
  /** Connections for mail that named one of its webhooks: 451. */
  mailConnections: { most: 8 },
  /** Bodies above 64 KiB that are being read: 503 with `Retry-After`. */
  largeBodies: { most: 8, full: '{} bodies above 64 KiB of this account are being read: try again in 5 s' },
  /**
   * Texts to people beyond the day of the plan; a third is kept for critical and unknown alerts: one last
   * text to each says so.
   */
  extraTexts: { most: 100 },
  /** Rehearsals in an hour: 409. */
  rehearsals: { most: 5, full: 'there were {} rehearsals in this hour already: try again later' },
  /** Drills of a phone in a day: 429. */
  drills: { most: 12 },
  /** Numbers that want no texts: 409. */
  optOuts: { most: 100_000, full: 'there are {} numbers that want no texts already: remove one first' },
  /** Forwards: 409. Each received text looks at all of them. */
  forwards: { most: 20, full: 'there are {} forwards already: remove one first' },
  /** Groups of phones: 409. Each free phone looks at all of them. */
  deviceGroups: { most: 20, full: 'there are {} groups already: remove one first' },
  /**
   * Received texts: the oldest go. A SIM gets a few thousand a day at most. A phone that lies could hand in
   * more.
   */
  receivedTexts: { most: 200_000 },
  /** Entries of the audit list, for 400 days: the oldest go. */
  auditEntries: { most: 200_000 },
} as const satisfies Readonly<Record<string, AccountBound>>
