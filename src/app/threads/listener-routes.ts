import { readAuthority } from '#app/certificate/own-certificate.ts'
import type { ListenerParts } from '#app/threads/listener-parts.ts'
import { openAssets } from '#app/threads/read-assets.ts'
import type { Writer } from '#contracts/commands.ts'
import type { ListenerData } from '#contracts/thread-frames.ts'
import { VERSION } from '#contracts/version.ts'
import { openDayCountReader } from '#storage/day-counts.ts'
import { openForwardRows } from '#storage/forward-store.ts'
import { openInboxReader } from '#storage/inbox-reader.ts'
import { openIncidentRows } from '#storage/incident-store.ts'
import { openDeliveryReader } from '#storage/notification-reader.ts'
import { openOnCallRows } from '#storage/on-call-store.ts'
import { openOptOutReader } from '#storage/opt-out-store.ts'
import { openPhoneHistoryReader } from '#storage/phone-history.ts'
import { openSeenTriggerReader } from '#storage/seen-trigger-reader.ts'
import { openUsageReader } from '#storage/usage-reader.ts'
import { dialectRoutes } from '#transport/http/dialects/dialect-routes.ts'
import type { AuthorizedCall, Route } from '#transport/http/route.ts'
import type { RoutePorts } from '#transport/http/route-ports.ts'
import { accountRoutes } from '#transport/http/routes/account.ts'
import { authorityRoutes } from '#transport/http/routes/authority.ts'
import { configurationRoutes } from '#transport/http/routes/configuration.ts'
import { consoleRoutes } from '#transport/http/routes/console.ts'
import { deliveryRoutes } from '#transport/http/routes/deliveries.ts'
import { deviceGroupRoutes } from '#transport/http/routes/device-groups.ts'
import { deviceHistoryRoutes } from '#transport/http/routes/device-history.ts'
import { deviceRoutes } from '#transport/http/routes/devices.ts'
import { drillRoutes } from '#transport/http/routes/drills.ts'
import { forwardRoutes } from '#transport/http/routes/forwards.ts'
import { groupRoutes } from '#transport/http/routes/groups.ts'
import { healthRoutes } from '#transport/http/routes/health.ts'
import { inboxRoutes } from '#transport/http/routes/inbox.ts'
import { incidentRoutes } from '#transport/http/routes/incidents.ts'
import { liveRoutes } from '#transport/http/routes/live.ts'
import { messageRoutes } from '#transport/http/routes/messages.ts'
import { notificationRoutes } from '#transport/http/routes/notifications.ts'
import { optOutRoutes } from '#transport/http/routes/opt-outs.ts'
import { overviewRoutes } from '#transport/http/routes/overview.ts'
import { type PairingPorts, pairingRoutes } from '#transport/http/routes/pairing.ts'
import { peopleRoutes } from '#transport/http/routes/people.ts'
import { policyRoutes } from '#transport/http/routes/policies.ts'
import { previewRoutes } from '#transport/http/routes/preview.ts'
import { readingRoutes } from '#transport/http/routes/readings.ts'
import { rotaRoutes } from '#transport/http/routes/rotas.ts'
import { seenTriggerRoutes } from '#transport/http/routes/seen-triggers.ts'
import { senderRoutes } from '#transport/http/routes/senders.ts'
import { statusRoutes } from '#transport/http/routes/status.ts'
import { textRoutes } from '#transport/http/routes/texts.ts'
import { triggerRoutes } from '#transport/http/routes/trigger.ts'
import { twoFactorRoutes } from '#transport/http/routes/two-factor.ts'
import { usageDayRoutes } from '#transport/http/routes/usage-days.ts'
import { webhookRoutes } from '#transport/http/routes/webhooks.ts'
import { SearchTurns } from '#transport/http/search-turns.ts'

/** All routes except those of the metrics and of the OpenAPI document. */
export function routesOf(data: ListenerData, parts: ListenerParts): Route[] {
  const { directory, settings, pool, access, writer, phones, modems, cloud, triggers } = parts
  const ports = portsOf(parts)
  const makers = [
    messageRoutes,
    optOutRoutes,
    inboxRoutes,
    textRoutes,
    deviceHistoryRoutes,
    usageDayRoutes,
    seenTriggerRoutes,
    accountRoutes,
    webhookRoutes,
    peopleRoutes,
    rotaRoutes,
    policyRoutes,
    groupRoutes,
    incidentRoutes,
  ]
  const routes = [
    ...makers.flatMap(make => make(ports)),
    ...previewRoutes({ ...ports, pool }),
    ...readingRoutes(ports),
    ...triggerRoutes(triggers),
    ...dialectRoutes(data.config.dialects.enabled, { ...ports, ...access.forDialects, triggers }),
    ...[notificationRoutes, forwardRoutes, deliveryRoutes, twoFactorRoutes].flatMap(make => make(ports)),
    ...deviceRoutes({ writer, phones, modems }),
    ...deviceGroupRoutes(ports),
    ...drillRoutes(ports),
    ...access.routes,
    ...healthRoutes(ports),
    ...cloud.routes,
    ...authorityRoutes({ readAuthority: () => readAuthority(directory) }),
    ...statusRoutes({ ...data, ...ports, version: VERSION }),
    ...configurationRoutes(parts),
    ...liveRoutes(),
    ...assetRoutes({ writer, settings }),
    ...senderRoutes({ ...data, mailPort: data.config.smtp.port }),
  ]
  routes.push(...overviewRoutes({ routes: () => routes }))
  return routes.map(route => noteExport(route, writer))
}

function portsOf({ database, settings, canMail, webhooks, sending }: ListenerParts): RoutePorts {
  return {
    ...sending,
    webhooks,
    canMail,
    language: () => settings().language,
    machineZone: () => settings().timeZone(),
    searches: new SearchTurns(),
    dayCounts: openDayCountReader(database),
    deliveries: openDeliveryReader(database),
    forwards: openForwardRows(database),
    inbox: openInboxReader(database),
    incidents: openIncidentRows(database),
    onCall: openOnCallRows(database),
    optOuts: openOptOutReader(database),
    phoneHistory: openPhoneHistoryReader(database),
    seenTriggers: openSeenTriggerReader(database),
    usage: openUsageReader(database),
  }
}

/** A route that hands out a whole list writes down who asked for it. A full disk does not refuse it. */
export function noteExport(route: Route, writer: Writer): Route {
  if (!('handle' in route) || route.access === 'public' || route.operation?.bare !== 'text/csv') return route
  const { handle } = route
  return {
    ...route,
    handle: async (call: AuthorizedCall) => {
      const { accountId } = call.principal
      await writer.ask('audit.note', { accountId, what: 'table.export' }, call.by).catch(() => null)
      return handle(call)
    },
  }
}

/** The routes that serve built files. */
function assetRoutes(ports: Omit<PairingPorts, 'agentFile'>): Route[] {
  const assets = openAssets()
  return [...pairingRoutes({ ...ports, ...assets }), ...consoleRoutes(assets)]
}
