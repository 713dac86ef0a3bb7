import { t } from '#console/language.ts'

/** What the forms call the fields of the API. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  name: t('Name'),
  phoneNumber: t('Phone number'),
  recipients: t('Who gets the texts'),
  people: t('Who gets the texts'),
  policyId: t('Who must answer'),
  maxPerHour: t('Alerts per hour, at most'),
  minSeverity: t('Which alerts'),
  deviceId: t('Phone'),
  deviceGroupId: t('Phone'),
  segmentsPerMinute: t('SMS per minute, at most'),
  smsPerDayMax: t('SMS a day, at most'),
  smsPerMonthMax: t('SMS a month, at most'),
  monthStartsOn: t('The month begins on day'),
  url: t('URL'),
  events: t('Which events'),
  since: t('Failed since'),
  role: t('Role'),
}
