import type { Report } from '#domain/alert/compose-report.ts'
import { scalarOf } from '#domain/alert/guess/find-fields.ts'
import { isObject, type Json, type JsonObject, objectsOf } from '#domain/alert/read/json-value.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

const WORKS = ['series', 'movie', 'remoteMovie', 'artist', 'author', 'album', 'book', 'game', 'site'] as const
const PARTS = ['episodes', 'albums', 'books', 'tracks'] as const
const FILES = ['episodeFile', 'movieFile', 'release', 'trackFile', 'bookFile'] as const

/** What a library manager did, as a person says it; other names are said as they come. */
const DEEDS: ReadonlyMap<string, string> = new Map([
  ['download', 'imported'],
  ['grab', 'grabbed'],
  ['importcomplete', 'imported'],
  ['seriesadd', 'added'],
  ['movieadded', 'added'],
  ['manualinteractionrequired', 'needs a hand'],
])

/**
 * An event of a media library manager (Sonarr, Radarr, Lidarr, Readarr and their like): `eventType` with
 * `instanceName` or a work. `level` and `message` when it is about its health, else what it did with which
 * work.
 */
export function describeMedia(value: Json): Report | null {
  if (!isObject(value)) return null
  const event = scalarOf(value['eventType'])
  const work = WORKS.map(key => value[key]).find(isObject)
  if (event === '' || !(Object.hasOwn(value, 'instanceName') || work !== undefined)) return null
  const instance = cleanLine(scalarOf(value['instanceName']))
  const message = cleanLine(scalarOf(value['message']))
  if (readState(event)?.kind === 'test') {
    return {
      state: readState('test'),
      what: instance,
      summary: [message, nameOf(value, work)].filter(text => text !== '')[0] ?? '',
    }
  }
  if (message !== '' && work === undefined) {
    const over = /restored|resolved/i.test(event)
    const level = over ? readState('resolved') : readState(scalarOf(value['level']) || event)
    return {
      state: level,
      what: instance,
      summary: message,
    }
  }
  const deed = DEEDS.get(event.toLowerCase()) ?? spaced(event)
  const isUpgrade = value['isUpgrade'] === true && deed === 'imported'
  const failed = readState(spaced(event))
  return {
    state: failed?.kind === 'bad' ? failed : null,
    what: [instance, isUpgrade ? 'upgraded' : deed].filter(text => text !== '').join(' '),
    summary: nameOf(value, work) || releaseOf(value) || message,
    detail: [qualityOf(value)],
  }
}

/** `Silo S02E04 - The Harmonium`, `Dune (2021)`. */
function nameOf(value: JsonObject, work: JsonObject | undefined): string {
  if (work === undefined) return ''
  const title = cleanLine(scalarOf(work['title']) || scalarOf(work['name']) || scalarOf(work['artistName']))
  const parts = PARTS.flatMap(key => objectsOf(value[key]))
  const [part] = parts
  if (part === undefined) {
    const year = scalarOf(work['year'])
    return year === '' || year === '0' || !isObject(value['movie'] ?? value['remoteMovie'] ?? null)
      ? title
      : `${title} (${year})`
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

/** What was looked for or fetched, where it belongs to no work yet. */
function releaseOf(value: JsonObject): string {
  const release = isObject(value['release']) ? value['release'] : value
  return cleanLine(scalarOf(release['releaseTitle']))
}

function qualityOf(value: JsonObject): string {
  for (const key of FILES) {
    const file = value[key]
    const quality = isObject(file) ? scalarOf(file['quality']) : ''
    if (quality !== '') return cleanLine(quality)
  }
  return ''
}

function spaced(name: string): string {
  return cleanLine(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_-]+/g, ' ')).toLowerCase()
}
