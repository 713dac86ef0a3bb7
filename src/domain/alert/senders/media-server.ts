import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { stateInSentence } from '#domain/alert/text/headline.ts'
import { joinWords } from '#domain/alert/text/join-words.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'
import { wordTable } from '#domain/alert/vocabulary/word-table.ts'

/** Plex's events, in words that a person uses. */
const PLEX_EVENTS = wordTable({
  'media.play': 'playback started',
  'media.pause': 'playback paused',
  'media.resume': 'playback resumed',
  'media.stop': 'playback stopped',
  'media.scrobble': 'item finished',
  'media.rate': 'item rated',
  'playback.started': 'playback started',
  'library.new': 'item added',
  'library.on.deck': 'item on deck',
  'device.new': 'new device',
  'admin.database.backup': 'database backup completed',
  'admin.database.corrupted': 'database corrupted',
})

/** Plex: what happened on which server, to which item, who did it and on which player. */
export const plex: Sender = {
  format: 'generic',
  matches: body => /^[a-z]+\.[a-z.]+$/.test(body.raw('event')) && body.has('Account') && body.has('Server'),
  state: [body => (body.raw('event') === 'admin.database.corrupted' ? readState('error') : null)],
  subject: [body => joinWords(body.line('Server.title'), plexEventOf(body))],
  reason: [plexItemOf],
  extras: [body => (body.has('Player') ? body.line('Account.title') : ''), 'Player.title'],
}

function plexEventOf(body: Body): string {
  const event = body.line('event')
  return PLEX_EVENTS[event] ?? event.replaceAll('.', ' ')
}

/** The item: an episode, a track of an artist, or a film. */
function plexItemOf(body: Body): string {
  const field = (name: string): string => body.line(`Metadata.${name}`)
  const name = field('title')
  const whole = field('grandparentTitle') || field('parentTitle')
  if (field('type') === 'episode') return nameEpisode(whole, [field('parentIndex'), field('index')], name)
  if (whole !== '') return `${whole} - ${name}`
  return nameFilm(name, field('year'))
}

/** Jellyfin's webhook plugin: what happened on which server, to which item, and who did it. */
export const jellyfin: Sender = {
  format: 'generic',
  matches: body => body.raw('NotificationType') !== '' && body.has('ServerName') && body.has('ServerId'),
  state: [body => stateInSentence(eventOf(body))],
  subject: [body => `${body.line('ServerName')} ${eventOf(body)}`],
  reason: [itemOf],
  extras: [
    body => body.line('NotificationUsername', 'Username'),
    'DeviceName',
    body =>
      /^Authentication|LockedOut$/.test(body.raw('NotificationType')) ? body.line('RemoteEndPoint') : '',
  ],
}

/** `item added` for `ItemAdded`. */
function eventOf(body: Body): string {
  const words = body.raw('NotificationType').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return cleanLine(words).toLowerCase()
}

/** The item: `Silo S02E04 - The Harmonium`, `Dune (2021)`, or the name of a plugin or task. */
function itemOf(body: Body): string {
  const name = body.line('Name', 'ItemName', 'PluginName', 'TaskName')
  const series = body.line('SeriesName')
  if (series === '') return nameFilm(name, body.raw('Year'))
  const season = body.raw('SeasonNumber00') || body.raw('SeasonNumber')
  return nameEpisode(series, [season, body.raw('EpisodeNumber00') || body.raw('EpisodeNumber')], name)
}

/** `Silo S02E04 - The Harmonium` */
function nameEpisode(series: string, numbers: readonly [string, string], name: string): string {
  const [season, episode] = numbers.map(number => number.padStart(2, '0'))
  return `${series} S${season}E${episode} - ${name}`
}

/** `Dune (2021)` */
function nameFilm(name: string, year: string): string {
  return year === '' || name === '' ? name : `${name} (${year})`
}

/** Overseerr, Jellyseerr and Seerr: what happened to which request or issue. */
export const overseerr: Sender = {
  format: 'generic',
  matches: body => body.has('notification_type') && body.raw('event') !== '' && body.raw('subject') !== '',
  state: ['notification_type'],
  subject: [body => `${body.line('event')} - ${body.line('subject')}`],
  reason: ['message'],
}
