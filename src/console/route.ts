/** The current page. It is the part of the address behind `#`, so that the console works below any path. */
export interface PageAddress {
  /** The first part; empty: Home. */
  readonly page: string
  readonly id: string | null
  readonly query: URLSearchParams
}

export function parseRoute(hash: string): PageAddress {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [page = '', id] = path.split('/').map(decoded)
  const address = { page, id: id === undefined || id === '' ? null : id, query: new URLSearchParams(query) }
  return page === 'messages' || page === 'received' ? textsAt(address) : address
}

const CUTS: Readonly<Record<string, string>> = { queued: 'waiting', sending: 'waiting', failed: 'failed' }

/** Texts had two pages, whose addresses people have kept. */
function textsAt({ page, id, query }: PageAddress): PageAddress {
  const used = new URLSearchParams(query)
  const cut = page === 'received' ? page : CUTS[used.get('status') ?? '']
  const when = used.get('when')
  if (id === null && cut !== undefined) used.set('cut', cut)
  if (when !== null) used.set('q', `${when === 'week' ? '' : when} ${used.get('q') ?? ''}`.trim())
  return { page: 'texts', id, query: used }
}

/** The address of a page for a link. Empty values of the query are left out. */
export function linkTo(path: string, query: Readonly<Record<string, string>> = {}): string {
  const used = Object.entries(query).filter(([, value]) => value !== '')
  return `#/${path}${used.length > 0 ? `?${new URLSearchParams(used)}` : ''}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
