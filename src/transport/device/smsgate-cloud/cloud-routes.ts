/** The API that the SMSGate app calls in its cloud-server mode. Source: the app's code, version 1.68.0. */
import { CLOUD_ROOT, cloudPaths, HOOK_PATH } from '#transport/device/smsgate-cloud/cloud-paths.ts'
import { type CloudPorts, refusal, unknownCaller } from '#transport/device/smsgate-cloud/cloud-ports.ts'
import { listWebhooks, showSettings } from '#transport/device/smsgate-cloud/configure-app.ts'
import { giveMessages, takeReports } from '#transport/device/smsgate-cloud/exchange-messages.ts'
import { hookReceiver } from '#transport/device/smsgate-cloud/receive-hook.ts'
import { admitRegistration, announce, showAddress } from '#transport/device/smsgate-cloud/register-phone.ts'
import type { Answer, Call, Handle, Head, Route } from '#transport/http/route.ts'
import { shapedJson } from '#transport/http/shaped-answer.ts'

/** All routes of this API except the event stream (`event-streams.ts`). */
export function cloudRoutes(ports: CloudPorts): Route[] {
  const shared = { access: 'public', counted: false, refusal } as const
  const read = { ...shared, method: 'get', body: 'none' } as const
  const write = { ...shared, body: 'bytes' } as const
  const device = cloudPaths('device')
  const withPorts = (handle: (ports: CloudPorts, call: Call) => Answer | Promise<Answer>) => ({
    handle: (call: Call) => handle(ports, call),
  })
  const admitWith = (admit: (ports: CloudPorts, head: Head) => Handle) => ({
    admit: (head: Head) => admit(ports, head),
  })
  return [
    { ...write, ...device, method: 'post', ...admitWith(admitRegistration) },
    { ...write, ...device, method: 'patch', ...admitWith(announce) },
    { ...read, ...device, ...withPorts(showAddress) },
    ...['message', 'messages'].flatMap((name): Route[] => [
      { ...read, ...cloudPaths(name), ...withPorts(giveMessages) },
      { ...write, ...cloudPaths(name), method: 'patch', ...admitWith(takeReports) },
    ]),
    { ...read, ...cloudPaths('webhooks'), ...withPorts(listWebhooks) },
    { ...read, ...cloudPaths('settings'), ...withPorts(showSettings) },
    { ...read, ...cloudPaths('user/code'), handle: refuseUnsupported },
    { ...read, ...cloudPaths('user/password'), method: 'patch', handle: refuseUnsupported },
    { ...read, ...CLOUD_ROOT, handle: refuseRoot },
    { ...write, method: 'post', path: HOOK_PATH, admit: hookReceiver(ports) },
  ]
}

/** Answers requests that Roost does not support; the app shows the message to its user. */
function refuseUnsupported(): Answer {
  return shapedJson({ message: 'Use the console of the gateway or the command roost device pair' }, 501)
}

/** Refuses requests to the base path, with a message that shows people that the address is right. */
function refuseRoot(call: Call): Answer {
  throw unknownCaller(call, 'this is the address for the SMSGate app: enter it as API URL in its settings')
}
