import type { Body } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { cleanLine } from '#domain/alert/text/clean-text.ts'
import { stateInSentence } from '#domain/alert/text/headline.ts'

/** Jellyfin's webhook plugin: what happened on which server, to which item, and who did it. */
export const jellyfin: Sender = {
  format: 'generic',
  matches: body => body.raw('NotificationType') !== '' && body.has('ServerName') && body.has('ServerId'),
  state: [body => stateInSentence(eventOf(body))],
  subject: [body => `${body.line('ServerName')} ${eventOf(body)}`],
  reason: [itemOf],
  extras: ['NotificationUsername', 'DeviceName'],
}

/** `item added` for `ItemAdded`. */
function eventOf(body: Body): string {
  const words = body.raw('NotificationType').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return cleanLine(words).toLowerCase()
}

/** The item: `Silo S02E04 - The Harmonium`, `Dune (2021)`, or the name of a plugin or task. */
function itemOf(body: Body): string {
  const name = body.line('Name', 'ItemName', 'PluginName', 'TaskName')
  const season = body.raw('SeasonNumber00') || body.raw('SeasonNumber').padStart(2, '0')
  const episode = body.raw('EpisodeNumber00') || body.raw('EpisodeNumber').padStart(2, '0')
  if (body.raw('SeriesName') !== '') return `${body.line('SeriesName')} S${season}E${episode} - ${name}`
  const year = body.raw('Year')
  return year === '' ? name : `${name} (${year})`
}

/** Overseerr, Jellyseerr and Seerr: what happened to which request or issue. */
export const overseerr: Sender = {
  format: 'generic',
  matches: body => body.has('notification_type') && body.raw('event') !== '' && body.raw('subject') !== '',
  state: ['notification_type'],
  subject: [body => `${body.line('event')} - ${body.line('subject')}`],
  reason: ['message'],
}
