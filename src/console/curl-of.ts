import { apiUrl } from '#console/api.ts'

/** The command that sends a text as the page does: the text waits if no phone is online. */
export function curlOf(key: string, phoneNumber: string, message: string): string {
  const json = JSON.stringify({ phoneNumber, message, queueIfOffline: true }).replaceAll("'", "'\\''")
  const headers = `-H 'X-API-Key: ${key}' -H 'Content-Type: application/json'`
  return `curl '${apiUrl('sms/send')}' ${headers} -d '${json}'`
}
