/** Descriptions of API fields with a meaning of their own in one schema, such as `status` of a delivery. */

const PROBLEM_SUBJECT =
  'The phone, webhook, file or folder with the problem; null: the account or the gateway as a whole.'
const PROBLEM_CODE = 'The kind of problem.'
const PROBLEM_MESSAGE = 'The problem in a sentence; its wording may change.'
const PROBLEM_SINCE = 'When the problem began, as far as the gateway can tell.'
const RECEIVING_SLOT = 'Slot of the SIM that received the text, counted from 1; null: unknown.'
const ATTEMPT_AT = 'When the attempt began.'
const DELIVERY_URL =
  'The URL of the delivery; null: not sent yet, and the account’s URL at the time of sending will get it.'

/** The key is `Schema.path.to.field`. */
export const SCHEMA_FIELD_NOTES: Readonly<Record<string, string>> = {
  'AccountResource.accountId': 'The identifier, `acc_…`.',
  'AddDeviceRequest.kind': '`smsgate`: the local server of the app SMSGate.',
  'AddDeviceRequest.name': 'A name for the phone; default: the name that the phone reports.',
  'AddDeviceRequest.password': 'The password that the app shows. No answer shows it.',
  'AddDeviceRequest.url': 'The address that the app shows, such as `http://192.168.1.20:8080`.',
  'AddDeviceRequest.username': 'The user name that the app shows; default: `sms`.',
  'CreateWebhookRequest.deviceId': 'The phone that sends the texts; null: any phone.',
  'DayUsage.accepted': 'Accepted messages, with alerts and one-time codes.',
  'DayUsage.alerts': 'Accepted messages that are alerts.',
  'DayUsage.day': 'The UTC day, YYYY-MM-DD.',
  'DayUsage.delivered': 'Accepted messages that were delivered.',
  'DayUsage.deliveryMs':
    'Time from acceptance to the delivery report, milliseconds; estimated from a histogram.',
  'DayUsage.deliveryMs.p50':
    'Median: half of the delivered messages took at most this long; null: none delivered.',
  'DayUsage.deliveryMs.p95':
    '95th percentile: 95 of 100 delivered messages took at most this long; null: none delivered.',
  'DayUsage.failed': 'Accepted messages that failed.',
  'DayUsage.received': 'Texts received on this day.',
  'DayUsage.sent': 'Accepted messages that were sent and have no delivery report.',
  'DayUsage.twoFactor': 'Accepted messages that are one-time codes.',
  'DeliveryDetail.attemptLog.at': ATTEMPT_AT,
  'DeliveryDetail.attemptLog.status': 'HTTP status of the receiver’s answer; null: no answer came.',
  'DeliveryDetail.attempts': 'The latest attempts with the receiver’s answers, oldest first.',
  'DeliveryDetail.attempts.answer': 'The first KiB of the receiver’s answer; null: it had no body.',
  'DeliveryDetail.attempts.at': ATTEMPT_AT,
  'DeliveryDetail.attempts.status': 'HTTP status of the receiver’s answer; null: no answer came.',
  'DeliveryDetail.body': 'The exact body that was or will be sent.',
  'DeliveryDetail.messageId': 'The message of the event; null for device and system events.',
  'DeliveryDetail.status': 'cancelled: the URL was removed or disabled before the delivery succeeded.',
  'DeliveryDetail.url': DELIVERY_URL,
  'DeliveryResource.attemptLog.at': ATTEMPT_AT,
  'DeliveryResource.attemptLog.status': 'HTTP status of the receiver’s answer; null: no answer came.',
  'DeliveryResource.messageId': 'The message of the event; null for device and system events.',
  'DeliveryResource.status': 'cancelled: the URL was removed or disabled before the delivery succeeded.',
  'DeliveryResource.url': DELIVERY_URL,
  'DeviceDetail.kind': 'How the phone is connected: Roost’s own agent, or a mode of the SMSGate app.',
  'DeviceDetail.sims.phoneNumber': 'Number of the SIM; null: unknown.',
  'DeviceDetail.smsToday': 'Messages that the phone sent this UTC day.',
  'DeviceDetail.status': 'busy: the phone is connected and all its sending slots are in use.',
  'DeviceListItem.kind': 'How the phone is connected: Roost’s own agent, or a mode of the SMSGate app.',
  'DeviceListItem.smsToday': 'Messages that the phone sent this UTC day.',
  'DeviceListItem.status': 'busy: the phone is connected and all its sending slots are in use.',
  'ErrorEnvelope.error': 'The refusal.',
  'ErrorEnvelope.error.code': 'The reason. Programs should use this code, not the message.',
  'ErrorEnvelope.error.details': 'Further facts about the refusal; which ones depends on the code.',
  'FailureResource.code':
    'CANCELLED, EXPIRED, OUTCOME_UNKNOWN, UNDELIVERED, DEVICE_REMOVED, RETRY_BRAKE, or the phone’s own code.',
  'FailureResource.message': 'A sentence for people; its wording may change.',
  'HealthProblem.code': PROBLEM_CODE,
  'HealthProblem.message': PROBLEM_MESSAGE,
  'HealthProblem.since': PROBLEM_SINCE,
  'HealthProblem.subject': PROBLEM_SUBJECT,
  'IssueCodeRequest.code': '4 to 10 letters A-Z, a-z or digits; default: six random digits.',
  'IssueCodeRequest.deviceId': 'The phone that must send the code; null: any phone.',
  'IssueCodeRequest.phoneNumber': 'The number with + and the country code (E.164).',
  'MessageResource.deviceId': 'The phone that sends or sent the message; null: none has been chosen yet.',
  'MessageResource.sendAt': 'When it may be sent at the earliest, as its caller asked; null: at once.',
  'MessageResource.expiresAt':
    'When the time to live ends. A message that no phone is sending then fails with EXPIRED.',
  'MessageResource.message': 'The text; a one-time code in it is masked. Null: retention has removed it.',
  'MessageResource.phoneNumber': 'E.164: + and 2 to 15 digits; null: retention has removed it.',
  'MessageResource.pretend':
    'Whether the phone is or was a pretend phone (driver `log`), which prints texts and sends none.',
  'MessageResource.timeline.at': 'When the message reached this status.',
  'MessageResource.timeline.status': 'A status that the message reached.',
  'MessageResource.webhookId': 'The webhook whose alert this is; null: the message is not an alert.',
  'NewsFrame.news.at': 'When the message reached this status.',
  'NewsFrame.news.failure.code': 'The same code as in the message’s `failure`.',
  'NewsFrame.news.failure.message': 'A sentence for people; its wording may change.',
  'NewsFrame.news.id': 'The id of the changed object; for a problem, its code. Null for resync.',
  'NewsFrame.news.status': 'The new status of the message.',
  'NewsFrame.news.type':
    'What kind of object changed. resync: more changed than the frame lists; fetch everything again.',
  'NotificationResource.url': 'Where notifications go; null: none is registered.',
  'PairingAuthority.fingerprint':
    'SHA-256 of the authority’s own certificate, 64 lower-case hexadecimal digits.',
  'PairingAuthority.port': 'The HTTPS port whose certificate comes from this authority.',
  'PairingResource.code': 'The pairing code: eight digits, valid for one phone.',
  'PairRequest.code': 'The eight digits of the pairing code.',
  'PreviewRequest.body': 'The exact body of a trigger; give either this or `payload`.',
  'PreviewRequest.contentType': 'The Content-Type of `body`; null: none.',
  'PreviewResource.message': 'The text, at most 480 characters on one line.',
  'PreviewResource.severity': 'How bad the alert is; null: the alert does not say.',
  'PreviewResource.state':
    'firing: something is wrong. recovered: it is over. acknowledged: a person takes care of it. ' +
    'test: a test of the sender. notice: any other state. Null: the alert does not say.',
  'Query.cursor': '`nextCursor` of the previous answer.',
  'Query.days': 'Number of days, today included, 1 to 366; default 30.',
  'Query.deviceId': 'List only entries of this phone.',
  'Query.event': 'List only events of this type.',
  'Query.from': 'List only texts from this sender: a number or a name.',
  'Query.kind': 'List only messages of this kind.',
  'Query.limit': 'Entries per page, 1 to 200; default 50.',
  'Query.messageId': 'List only events of this message.',
  'Query.phoneNumber': 'List only messages to this number. The + may be written as + or as %2B.',
  'Query.q':
    'List only entries whose text, phone number or sender’s name contains these 1 to 100 characters.',
  'Query.since': 'List only entries made at this time or later; ISO 8601 in UTC.',
  'Query.status': 'List only entries with this status.',
  'Query.test':
    '`true` lists sandbox messages. Only for account tokens and sessions: an API key lists its own mode.',
  'Query.until': 'List only entries made at this time or earlier; ISO 8601 in UTC.',
  'Query.webhookId': 'List only alerts of this webhook.',
  'ReceivedResource.id': 'The identifier, `rcv_…`. The event `sms.received` has it as `messageId`.',
  'ReceivedResource.simSlot': RECEIVING_SLOT,
  'ReplayFailedRequest.since':
    'Failed and cancelled deliveries made at this time or later are sent again; ISO 8601 in UTC.',
  'SeenTriggerResource.address': 'IP address of the sender.',
  'SeenTriggerResource.at': 'When the trigger came.',
  'SeenTriggerResource.format':
    'The detected sender; null: the trigger was refused before its body was read.',
  'SeenTriggerResource.message':
    'The text made from the alert, also if it was not sent; null: no text was made.',
  'SeenTriggerResource.outcome': 'What the gateway did with the trigger.',
  'SendRequest.deviceId': 'The phone that must send the message; null: the gateway chooses one.',
  'SendRequest.message': 'The text: 1 to 1600 UTF-16 code units, not only white space.',
  'SendRequest.phoneNumber': 'The number with + and the country code (E.164).',
  'SendRequest.sendAt':
    'ISO 8601 with Z or an offset, at most 90 days ahead. No phone gets the text before; `ttl` begins then.',
  'SmsFailedEvent.data.failure': 'Why the message failed.',
  'SmsFailedEvent.data.failure.code': 'The same code as in the message’s `failure`.',
  'SmsFailedEvent.data.failure.message': 'A sentence for people; its wording may change.',
  'SmsReceivedEvent.data.messageId': 'The gateway’s id of the received text (`rcv_…`).',
  'SmsReceivedEvent.data.simSlot': RECEIVING_SLOT,
  'SystemAlarmEvent.data.code': PROBLEM_CODE,
  'SystemAlarmEvent.data.message': PROBLEM_MESSAGE,
  'SystemAlarmEvent.data.since': PROBLEM_SINCE,
  'SystemAlarmEvent.data.subject': PROBLEM_SUBJECT,
  'SystemRecoveredEvent.data.code': PROBLEM_CODE,
  'SystemRecoveredEvent.data.message': PROBLEM_MESSAGE,
  'SystemRecoveredEvent.data.since': PROBLEM_SINCE,
  'SystemRecoveredEvent.data.subject': PROBLEM_SUBJECT,
  'TriggeredResource.message': 'The text of the alert; null: the request holds no alert.',
  'TriggeredResource.reason':
    'Why no text was sent. EMPTY: a GET without a query, or a HEAD. FILTERED: the alert is below ' +
    '`minSeverity`, or it has recovered and `sendRecovered` is false. Null: texts were sent.',
  'UpdateDeviceRequest.password': 'The new password of the phone’s local server. No answer shows it.',
  'UpdateDeviceRequest.paused': 'True: the phone gets no new messages.',
  'UpdateDeviceRequest.segmentsPerMinute':
    'Pace of the phone, segments a minute, 1 to 1000000; null: `devices.segments_per_minute`.',
  'UpdateDeviceRequest.url': 'The new address of the phone’s local server; only for the kind `smsgate`.',
  'UpdateDeviceRequest.username': 'The new user name of the phone’s local server.',
  'UpdateWebhookRequest.deviceId': 'The phone that sends the texts; null: any phone.',
  'VerifyCodeRequest.code': 'The code that the person typed.',
  'VerifyCodeRequest.messageId': 'The message with the code; give either this or `phoneNumber`.',
  'VerifyCodeRequest.phoneNumber': 'The number that got the code; give either this or `messageId`.',
  'WebhookResource.deviceId': 'The phone that sends the texts; null: any phone.',
  'WebhookResource.id': 'The identifier, `whk_…`.',
  'WebhookResource.token': 'The secret token. Only the answers that create it contain it; else null.',
  'WebhookResource.url':
    'Path of the webhook’s secret URL. Only the answers that create the token contain it; else null.',
  'WebhookTriggers.triggers': 'The last 20 triggers, newest first.',
}
