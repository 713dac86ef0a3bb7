/** What the summary of an operation leaves out: units, bounds, and what its refusals mean. By operationId. */
export const OPERATION_NOTES: Readonly<Record<string, string>> = {
  getUsage:
    'Counters of the UTC day and of the calendar month beside the limits of the plan; -1 is unlimited.',
  getStatus:
    'Problems of the account and of the gateway as a whole, the worst first. The same rules feed ' +
    '`roost status`, the metric `roost_problem` and the console; open pages get `problem` as news.',
  listUsageDays:
    'Oldest first, today last. A message and its result count on the day on which it was accepted; ' +
    'sandbox messages are left out.',
  logIn:
    'The token lives 12 hours. A wrong e-mail and a wrong password are the same 401; ' +
    'repeated failures are 429.',
  openSession:
    'Sets a cookie and returns the other half of the session, `half`. Every call of the page sends both: ' +
    'the cookie by itself, the half in the header X-Roost-Console; one alone is 401. A session ends after ' +
    '30 days without use, after 90 days at most, and has 600 calls a minute of its own. Failures are as ' +
    'at /auth/login.',
  watchNews:
    'WebSocket, subprotocol roost.live.v1. Log in by an account token in Authorization, or by the cookie ' +
    'of a session and, as the first frame within 5 s, `{"half": …}`. The Origin of a page must be ours. ' +
    'News are hints, with no text, number or secret: at most 4 frames a second and 50 news a frame; more ' +
    'become one `resync`. 16 sockets an account. Closed with 4401 when the session is over.',
  getSession: 'Always 200, so that a page can call it before the login.',
  closeSession: 'From now on the cookie is invalid on every thread. 404: called with an account token.',
  listSessions: '`current` marks the session that asks.',
  endSession: 'That browser is logged out at once; 404 when there is no such session.',
  updateAccount:
    'Fields left out stay unchanged. A new password ends every account token and every other session. 400 ' +
    'names `currentPassword` when it is wrong, 409: another account has the e-mail address.',
  logOut: 'From now on the token in the header is invalid on every thread.',
  listDevices: 'Every phone that is paired with the account, whether connected or not.',
  getDevice: 'The phone with its battery, signal, SIMs and queue; 404 also for another account’s phone.',
  addDevice:
    'The phone is tried at once: 400 says what is wrong (no answer, wrong password, not this ' +
    'app, too old). It must be in a private network, or in `devices.allowed_hosts`. 409: it is here ' +
    'already; 403: the plan has no room.',
  updateDevice:
    'Fields that are left out stay as they are. A paused phone gets no new message. `url`, `username` and ' +
    '`password` belong to phones of the kind `smsgate`: 400 unless the phone answers by them. 404 when ' +
    'there is no such phone; 409: the gateway lost its password.',
  deleteDevice:
    'Disconnects the phone and ends its token at once. Messages move to other phones if they may, or fail.',
  createPairing:
    'Eight digits, valid for 10 minutes and one phone. 403: the plan has no room; 409: too ' +
    'many codes are open.',
  listKeys: 'The keys themselves are never shown again; `hint` holds the last four characters.',
  createKey:
    '`key` is in this answer only: the gateway keeps just its hash. 409 when the account has 100 valid keys.',
  revokeKey: 'The key is refused on every thread from the moment of the answer; 404 when it is not yours.',
  sendSms:
    'JSON under any Content-Type, or a form. `phoneNumber` may also be called `to`, `number` or ' +
    '`recipient`, and `message` `body`, `text` or `content`. ' +
    'Answered once the message is on disk. 503 NO_DEVICE_AVAILABLE unless a phone is connected or ' +
    '`queueIfOffline` is true; 404: no such `deviceId`; 403: `webhookUrl` on a plan without notifications; ' +
    '429: calls a minute or messages a day.',
  listMessages:
    'A page holds at most `limit` messages and may hold fewer although more follow: go on ' +
    'while `nextCursor` ' +
    'is not null. Sandbox keys see sandbox messages only.',
  getMessage: 'The message with every status that it had; 404 also for another account’s message.',
  cancelMessage: 'It ends as `failed` with the code CANCELLED; 409 once a phone was told to send it.',
  listReceived:
    'Texts that the phones received, until `messages.retention_days` are over. Paged as messages are. ' +
    'A sandbox key sees none.',
  getReceived: '404 also for another account’s, and once retention removed it.',
  getMetrics: 'Text format of Prometheus, version 0.0.4. Numbers about the gateway, none about a person.',
  setNotifications:
    'The secret is in this answer if no earlier answer showed it. 403: the plan has no ' +
    'notifications; 400: the ' +
    'URL leads to a forbidden target, such as this machine.',
  getNotifications:
    'All null and empty when nothing is registered; `failingSince` is set while deliveries fail.',
  deleteNotifications:
    'Returns the removed registration; its pending deliveries are cancelled. 404: there was none.',
  rotateNotificationSecret: 'Everything sent from now on is signed with the new secret, repeats included.',
  sendTestNotification:
    'Posts an event like any other, with `test` in its data; 409 unless a URL is registered and enabled.',
  listDeliveries: 'Kept for 30 days. Go on with `cursor` while `nextCursor` is not null.',
  getDelivery:
    'With the body that was sent and, of each of the latest attempts, the first KiB of the answer.',
  replayDelivery:
    'The same body and X-Webhook-Id again; 409 when the account’s URL that it would go to is not enabled.',
  replayFailedDeliveries:
    'At most 10,000 a call; `more` is true if others are left. 409 unless a URL is registered and enabled.',
  getOpenApi: 'Generated from the schemas that validate requests.',
  getDocs: 'Swagger UI; it loads nothing from other hosts.',
  getAuthorityPage:
    'Shows the fingerprint and the steps for each system. Also over plain HTTP, because a device trusts ' +
    'the HTTPS only after it.',
  getAuthority: 'The bytes that Android and iOS install. The private key is not included.',
  getAuthorityPem: 'The same certificate for curl, Node.js (NODE_EXTRA_CA_CERTS) and Debian.',
  getHealth: 'Shows only that the process answers. To monitor the database use /readyz.',
  getReadiness: 'Commits an empty change; 503 when the writer or its disk does not answer.',
  pairDevice:
    'Asked by the phone. 401: the code is wrong, used or older than 10 minutes; 403: the ' +
    'plan has no room; 429 ' +
    'after 5 wrong codes from one address.',
  getPairingPage: 'The address behind the QR code: what to type into Termux.',
  getAgent: 'JavaScript without dependencies for Node.js on a phone; 404 when this build has none.',
  triggerWebhook:
    'A slash or `/message` after the address is ignored. ' +
    'JSON, a form or text: it sets only the text, never the recipients. 403: the address ' +
    'is not on the list; ' +
    '404: unknown, disabled or removed; 429: over the cap of the hour or the quota of the day.',
  triggerWebhookByPut: 'Same as POST, for senders that use PUT.',
  triggerWebhookByGet:
    'The query is the payload, otherwise same as POST. No text is sent without a query or for HEAD: ' +
    'browsers and link previews call the address too.',
  sendCode:
    'JSON under any Content-Type, or a form. ' +
    'Sent before all other messages, with its own daily limit. A newer code for a ' +
    'number supersedes the ' +
    'older; the code is in the text message and nowhere else. 503: no phone is connected.',
  verifyCode:
    'JSON under any Content-Type, or a form. ' +
    'A wrong code is not an error: 200 with `verified: false` and the reason. Five tries a ' +
    'code, twenty failures a ' +
    'number a day. Name the code by `phoneNumber` or `messageId`, not both.',
  listWebhooks: 'Secret addresses are not shown again; `tokenHint` holds the last four characters.',
  createWebhook:
    '`token` and `url` are in this answer only. 404 when `deviceId` is no phone of the account, 409 when ' +
    'the account has 200 webhooks.',
  getWebhook: 'Counters of the last 60 minutes, of the day and since it was made; 404 when it is not yours.',
  updateWebhook: 'Fields that are left out stay as they are. It takes effect with the next trigger.',
  listTriggers:
    'Newest first, kept for seven days; `lastBody` is missing when `keepLastBody` of the webhook is false.',
  deleteWebhook: 'Its address answers 404 from the moment of this answer.',
  rotateWebhook: '`token` and `url` of the answer are the new ones, and shown only here.',
  previewAlert:
    'Give an alert as `payload`, a JSON value, or as `body` and `contentType`, read as a trigger reads ' +
    'them; `format` is the detected sender.',
}
