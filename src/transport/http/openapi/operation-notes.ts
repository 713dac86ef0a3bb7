/**
 * What the one-line summary of an operation leaves out: units, bounds, and what each refusal means. By
 * operationId.
 */
export const OPERATION_NOTES: Readonly<Record<string, string>> = {
  getUsage:
    'Counters of the current UTC day and calendar month, next to the limits of the plan; a limit of -1 ' +
    'means unlimited.',
  getStatus:
    'Problems of the account and of the whole gateway, the most severe first. `roost status`, the metric ' +
    '`roost_problem` and the console use the same rules. An open console page gets each change as the ' +
    'news `problem`.',
  listUsageDays:
    'The oldest day first, today last. A message and its result count on the day on which the gateway ' +
    'accepted the message. Sandbox messages do not count.',
  logIn:
    'The token is valid for 12 hours. A wrong e-mail address and a wrong password get the same 401. ' +
    '429: too many failed attempts; try again later.',
  openSession:
    'Sets a cookie and returns the second secret of the session, `half`. Every call of the page must send ' +
    'both: the browser sends the cookie, the page sends `half` in the header X-Roost-Console. A call with ' +
    'only one of them gets 401. A session ends after 30 days without use and after 90 days at most. It has ' +
    'its own limit of 600 calls a minute. Refusals are those of /auth/login.',
  watchNews:
    'WebSocket with the subprotocol roost.live.v1. Log in with an account token in the header ' +
    'Authorization. A console page logs in with its cookie and sends `{"half": …}` as the first frame ' +
    'within 5 s; its Origin must be the gateway. A piece of news tells only what changed, and holds no ' +
    'text, phone number or secret. The gateway sends at most 4 frames a second with at most 50 pieces of ' +
    'news each; for more, it sends one `resync` instead. An account can open 16 sockets. The gateway ' +
    'closes the socket with 4401 when the session ends.',
  getSession: 'Always answers 200, also without a login, so that a page can ask whether it is logged in.',
  closeSession:
    'The cookie is invalid as soon as this call is answered. 404: the call was made with an account token, ' +
    'which has no session.',
  listSessions: '`current` marks the session that makes this call.',
  endSession: 'Logs that browser out at once. 404: the account has no such session.',
  updateAccount:
    'Fields that are left out stay unchanged. A new password ends every account token and every other ' +
    'session. 400 names `currentPassword` when it is wrong. 409: another account has this e-mail address.',
  logOut: 'The token in the header is invalid as soon as this call is answered.',
  listDevices: 'Every phone that is paired with the account, connected or not.',
  getDevice:
    'The phone with its battery, signal, SIMs and queue. 404: the account has no phone with this id.',
  addDevice:
    'The gateway connects to the phone at once. 400 says why that failed: no answer, a wrong password, a ' +
    'program that is not the SMSGate app, or a version that is too old. The phone must be in a private ' +
    'network, or its host must be listed in `devices.allowed_hosts`. 409: the phone has been added before. ' +
    '403: the plan allows no more phones.',
  updateDevice:
    'Fields that are left out stay unchanged. A paused phone gets no new message. Only a phone of the kind ' +
    '`smsgate` has `url`, `username` and `password`; 400 if the phone does not answer with the new values. ' +
    '404: the account has no phone with this id. 409: the gateway can no longer read the stored ' +
    'password: remove the phone and add it again.',
  deleteDevice:
    'Disconnects the phone and ends its token at once. Its waiting messages go to other phones, or fail if ' +
    'they were meant for this phone only.',
  createPairing:
    'A code of eight digits that pairs one phone and is valid for 10 minutes. 403: the plan allows no more ' +
    'phones. 409: too many unused codes are valid; use one, or wait 10 minutes.',
  listKeys: 'The keys themselves are never shown again; `hint` holds their last four characters.',
  createKey:
    '`key` is shown in this answer only, because the gateway stores only its hash. 409: the account has ' +
    '100 valid keys; revoke one first.',
  revokeKey: 'The key is refused as soon as this call is answered. 404: the account has no key with this id.',
  sendSms:
    'Accepts JSON under any Content-Type, or a form. `phoneNumber` may also be named `to`, `number` or ' +
    '`recipient`; `message` may also be named `body`, `text` or `content`; capitals in names do not ' +
    'matter. Fields for pictures (`mediaUrl`, `attachments`) are refused. A number under another name ' +
    'than `phoneNumber` may also begin with 00, lack the +, or be a national number of ' +
    '`messages.default_country`; one that can be both national and international is refused. `sendAt` ' +
    '(also `scheduledAt`, `scheduleAt` or `send_at`) is a time up to 90 days ahead: the message waits for ' +
    'it, even while no phone is connected, and counts towards the day on which it was accepted. The answer ' +
    'is sent after the message is on disk. 503 NO_DEVICE_AVAILABLE: no phone is connected and ' +
    '`queueIfOffline` is not true. 404: the account has no phone with this `deviceId`. 403: the plan ' +
    'has no notifications, so `webhookUrl` is not allowed. 429: too many calls in this minute or ' +
    'messages on this day.',
  listMessages:
    'A page holds at most `limit` messages. It can hold fewer although more messages follow, so ask for ' +
    'the next page until `nextCursor` is null. A sandbox key sees only sandbox messages.',
  getMessage:
    'The message with every status that it has had. 404: the account has no message with this id, or the ' +
    'message was older than `messages.records_days` and was deleted.',
  cancelMessage:
    'The message ends as `failed` with the code CANCELLED. 409: too late, a phone has already been told to ' +
    'send the message, or the message has ended.',
  listReceived:
    'Texts that the phones received, kept for `messages.retention_days`. Pages work as in the list of ' +
    'messages. A sandbox key gets an empty list.',
  getReceived:
    '404: the account has received no text with this id, or the text was older than ' +
    '`messages.retention_days` and was deleted.',
  getMetrics:
    'Text format of Prometheus, version 0.0.4. Holds numbers about the gateway only, no personal data.',
  setNotifications:
    'The answer holds the secret only if no earlier answer has shown it. 403: the plan has no ' +
    'notifications. 400: the URL leads to a forbidden target, such as the computer of the gateway itself.',
  getNotifications:
    'When no URL is registered, every field is null or empty. `failingSince` is set while deliveries fail.',
  deleteNotifications:
    'Returns the registration that was removed. Its waiting deliveries are cancelled. 404: no URL was ' +
    'registered.',
  rotateNotificationSecret:
    'Every request from now on is signed with the new secret, also the repeats of older deliveries.',
  sendTestNotification:
    'Posts an event whose `data` holds `test: true` to the registered URL. 409: no URL is registered, or ' +
    'it is disabled.',
  listDeliveries:
    'Deliveries are kept for 30 days. For the next page, send `nextCursor` as `cursor` until it is null.',
  getDelivery:
    'The delivery with the body that was sent and, for each of the latest attempts, the first 1,024 bytes ' +
    'of the answer.',
  replayDelivery:
    'Sends the same body with the same X-Webhook-Id again. 409: the account URL to which the delivery ' +
    'would go is disabled or no longer registered.',
  replayFailedDeliveries:
    'Repeats at most 10,000 deliveries; call again while `more` is true. 409: no URL is registered, or it ' +
    'is disabled.',
  getOpenApi: 'Generated from the same schemas that validate the requests.',
  getDocs: 'Swagger UI. The page loads nothing from other hosts.',
  getAuthorityPage:
    'Shows the fingerprint of the authority and how to install it on each system. Also served over plain ' +
    'HTTP, because a device trusts the HTTPS of the gateway only after the installation.',
  getAuthority:
    'The certificate in the form (DER) that Android and iOS install. The private key is not included.',
  getAuthorityPem: 'The same certificate as PEM, for curl, Node.js (NODE_EXTRA_CA_CERTS) and Debian.',
  getHealth: 'Shows only that the process answers. To check the database as well, call /readyz.',
  getReadiness:
    'Writes an empty change to the database. 503: the thread that writes, or its disk, does not answer.',
  pairDevice:
    'Called by the phone. 401: the code is wrong, used, or older than 10 minutes. 403: the plan allows no ' +
    'more phones. 429: five wrong codes came from this address.',
  getPairingPage: 'The page that the QR code opens: it shows the command to type into Termux.',
  getAgent:
    'The program for Node.js on a phone: JavaScript without dependencies. 404: this build does not ' +
    'include it.',
  triggerWebhook:
    'Accepts JSON, a form or plain text. The request sets only the text; the recipients are those of the ' +
    'webhook. A `/` or `/message` at the end of the address is ignored. 403: the address of the caller is ' +
    'not on the allowlist of the webhook. 404: the webhook is unknown, disabled or deleted. 429: the ' +
    'hourly limit of the webhook or the daily limit of the account is reached.',
  triggerWebhookByPut: 'The same as POST, for senders that use PUT.',
  triggerWebhookByGet:
    'The same as POST, with the query as the payload. A GET without a query and a HEAD send no text, ' +
    'because browsers and link previews also call the address.',
  sendCode:
    'Accepts JSON under any Content-Type, or a form. A code is sent before all other messages and has its ' +
    'own daily limit. A new code makes the previous code for the same number invalid. Only the text ' +
    'message holds the code; no answer shows it. 503: no phone is connected.',
  verifyCode:
    'Accepts JSON under any Content-Type, or a form. Send either `phoneNumber` or `messageId`, not both. A ' +
    'wrong code is not an error: the answer is 200 with `verified: false` and the reason. A code allows ' +
    'five attempts; a number allows twenty failed attempts a day.',
  listWebhooks:
    'The secret addresses are not shown again; `tokenHint` holds the last four characters of the token.',
  createWebhook:
    '`token` and `url` are shown in this answer only. 404: the account has no phone with this `deviceId`. ' +
    '409: the account has 200 webhooks; delete one first.',
  getWebhook:
    'The webhook with its counters: of the last 60 minutes, of the day, and since its creation. 404: the ' +
    'account has no webhook with this id.',
  updateWebhook: 'Fields that are left out stay unchanged. The change applies from the next trigger on.',
  listTriggers:
    'The newest first, kept for seven days. `lastBody` is null if `keepLastBody` of the webhook is false.',
  deleteWebhook: 'The address of the webhook answers 404 as soon as this call is answered.',
  rotateWebhook: 'The answer holds the new `token` and `url`, which are shown only here.',
  testWebhook:
    'The text says that it is a test. It counts like any alert of the webhook, but the address of the ' +
    'caller is not checked. `duplicate`: nothing was sent, because the last test was less than a minute ' +
    'ago. 409: the webhook is disabled.',
  previewAlert:
    'Send the alert as `payload` (a JSON value), or as `body` with `contentType`; both are read as a ' +
    'trigger reads them. `format` in the answer names the sender that was recognized.',
}
