/** What the page *Now* of the console asks: `GET /overview` answers these calls at once, by their paths. */
export const OVERVIEW = [
  'devices',
  'status',
  'sms?limit=50',
  'sms?status=queued&limit=50',
  'webhooks',
  'rotas',
  'people',
  'incidents?state=open&limit=50',
  'incidents?state=unanswered&limit=50',
  'incidents?state=taken&limit=50',
] as const

/** The past of so many phones, those of the list that come first, is in the overview. */
export const OVERVIEW_PHONES_MAX = 8
