import type { Body } from '#domain/alert/body.ts'
import { isObject, type JsonObject } from '#domain/alert/read/json-value.ts'
import { scalarOf } from '#domain/alert/read/scalar-of.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readState, type State } from '#domain/alert/vocabulary/states.ts'

const WORKS = ['series', 'movie', 'remoteMovie', 'artist', 'author', 'album', 'book', 'game', 'site'] as const
const PARTS = ['episodes', 'albums', 'books', 'tracks'] as const
const FILES = ['episodeFile', 'movieFile', 'release', 'trackFile', 'bookFile'] as const

/** Plain words for the names of events. Any other name is only split into words. */
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['download', 'imported'],
  ['grab', 'grabbed'],
  ['importcomplete', 'imported'],
  ['seriesadd', 'added'],
  ['movieadded', 'added'],
  ['manualinteractionrequired', 'needs a hand'],
])

/**
 * A media library manager (Sonarr, Radarr, Lidarr, Readarr and similar): `eventType` with `instanceName` or
 * a work (a series, a film, an album, a book). An event about its own health has `level` and `message`; any
 * other says what it did with which work.
 */
export const mediaLibrary: Sender = {
  format: 'generic',
  matches: body => body.raw('eventType') !== '' && (body.has('instanceName') || workOf(body) !== undefined),
  state: [stateOf],
  subject: [
    body =>
      [body.line('instanceName'), isTest(body) || isHealth(body) ? '' : actionOf(body)]
        .filter(Boolean)
        .join(' '),
  ],
  reason: [
    body => (isTest(body) || isHealth(body) ? body.line('message') : ''),
    body => [nameOf(body), obstacleOf(body)].filter(Boolean),
    releaseOf,
    'message',
  ],
  extras: [body => (isTest(body) || isHealth(body) ? '' : qualityOf(body))],
}

function workOf(body: Body): JsonObject | undefined {
  return WORKS.map(key => body.at(key)).find(isObject)
}

function isTest(body: Body): boolean {
  return readState(body.raw('eventType'))?.kind === 'test'
}

/** Whether an event is about the program itself: it has a message and no work. */
function isHealth(body: Body): boolean {
  return body.line('message') !== '' && workOf(body) === undefined
}

function stateOf(body: Body): State | null {
  const event = body.raw('eventType')
  if (isTest(body)) return readState('test')
  if (isHealth(body)) {
    const isOver = /restored|resolved/i.test(event)
    return isOver ? readState('resolved') : readState(body.raw('level') || event)
  }
  const state = readState(splitWords(event))
  return state?.kind === 'bad' ? state : null
}

function actionOf(body: Body): string {
  const event = body.raw('eventType')
  const action = ACTIONS.get(event.toLowerCase()) ?? splitWords(event)
  return body.at('isUpgrade') === true && action === 'imported' ? 'upgraded' : action
}

/** The name of the work: `Silo S02E04 - The Harmonium`, `Dune (2021)`. */
function nameOf(body: Body): string {
  const work = workOf(body)
  if (work === undefined) return ''
  const title = cleanLine(scalarOf(work['title']) || scalarOf(work['name']) || scalarOf(work['artistName']))
  const parts = PARTS.flatMap(key => body.objects(key))
  const [part] = parts
  if (part === undefined) {
    const year = scalarOf(work['year'])
    const isFilm = isObject(body.at('movie')) || isObject(body.at('remoteMovie'))
    return isFilm && year !== '' && year !== '0' ? `${title} (${year})` : title
  }
  const numbers = [scalarOf(part['seasonNumber']), scalarOf(part['episodeNumber'])]
  const number = numbers.every(text => text !== '')
    ? `S${numbers[0]?.padStart(2, '0')}E${numbers[1]?.padStart(2, '0')}`
    : ''
  const more = parts.length > 1 ? ` +${parts.length - 1} more` : ''
  const partTitle = cleanLine(scalarOf(part['title']))
  const head = [title, number].filter(text => text !== '').join(' ')
  return [head, partTitle].filter(text => text !== '').join(' - ') + more
}

/** Why a download needs a person: the first message about it. */
function obstacleOf(body: Body): string {
  const [status = {}] = body.objects('downloadStatusMessages')
  return cleanLine(scalarOf(status['messages']))
}

/** The release that was searched or downloaded, for an event without a work. */
function releaseOf(body: Body): string {
  return body.line(isObject(body.at('release')) ? 'release.releaseTitle' : 'releaseTitle')
}

function qualityOf(body: Body): string {
  return body.line(...FILES.map(key => `${key}.quality`))
}

function splitWords(name: string): string {
  return cleanLine(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_-]+/g, ' ')).toLowerCase()
}
