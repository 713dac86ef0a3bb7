/** Configuration files for alert senders, each with the address of a webhook. */

export interface SenderFile {
  readonly contentType: string
  /** Makes the text of the file. `address`: the full address of the webhook. */
  readonly write: (address: string) => string
}

const YAML = 'application/yaml; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** @see https://prometheus.io/docs/alerting/latest/configuration/ */
const alertmanager = (
  address: string,
) => `# Alertmanager: copy the receiver and the route into your alertmanager.yml.
route:
  receiver: roost
  group_by: [alertname]
  group_wait: 10s
  group_interval: 1m
  repeat_interval: 12h
receivers:
  - name: roost
    webhook_configs:
      - url: '${address}'
        send_resolved: true
`

/**
 * @see
 * https://grafana.com/docs/grafana/latest/alerting/set-up/provision-alerting-resources/file-provisioning/
 */
const grafana = (
  address: string,
) => `# Grafana: put this file into provisioning/alerting, restart, and choose the contact point in a policy.
apiVersion: 1
contactPoints:
  - orgId: 1
    name: Roost
    receivers:
      - uid: roost
        type: webhook
        settings:
          url: '${address}'
          httpMethod: POST
        disableResolveMessage: false
`

/** @see https://www.home-assistant.io/integrations/notify.rest/ */
const homeAssistant = (
  address: string,
) => `# Home Assistant: copy this into configuration.yaml, and restart. Call rest_command.roost with
# service, state (failed or ok) and message, or notify.roost with a title and a message.
rest_command:
  roost:
    url: '${address}'
    method: POST
    content_type: application/json
    payload: "{{ dict(host='home', service=service, state=state, message=message) | to_json }}"
notify:
  - name: roost
    platform: rest
    resource: '${address}'
    method: POST_JSON
    title_param_name: title
    message_param_name: message
`

const ZABBIX_SCRIPT = [
  'var fields = JSON.parse(value);',
  'var address = fields.url;',
  'delete fields.url;',
  'var request = new HttpRequest();',
  "request.addHeader('Content-Type: application/json');",
  'var answer = request.post(address, JSON.stringify(fields));',
  "if (request.getStatus() !== 200) throw 'Roost answered ' + request.getStatus() + ': ' + answer;",
  "return 'OK';",
]

const ZABBIX_PARAMETERS = {
  event_id: '{EVENT.ID}',
  event_value: '{EVENT.VALUE}',
  event_name: '{EVENT.NAME}',
  event_severity: '{EVENT.SEVERITY}',
  event_opdata: '{EVENT.OPDATA}',
  event_duration: '{EVENT.DURATION}',
  host_name: '{HOST.NAME}',
  event_update_status: '{EVENT.UPDATE.STATUS}',
  event_update_action: '{EVENT.UPDATE.ACTION}',
  event_update_message: '{EVENT.UPDATE.MESSAGE}',
  event_update_user: '{USER.FULLNAME}',
}

/** @see https://www.zabbix.com/documentation/current/en/manual/xml_export_import/media */
const zabbix = (
  address: string,
) => `# Zabbix: Alerts, Media types, Import. Then add the media type to a user made for Roost, because Zabbix
# does not send a user what that user did, and that user to an action with operations, recovery operations
# and update operations.
zabbix_export:
  version: '6.0'
  media_types:
    - name: Roost
      type: WEBHOOK
      parameters:
${Object.entries({ url: address, ...ZABBIX_PARAMETERS })
  .map(([name, value]) => `        - name: ${name}\n          value: '${value}'`)
  .join('\n')}
      script: |
${ZABBIX_SCRIPT.map(line => `        ${line}`).join('\n')}
      message_templates:
        - event_source: TRIGGERS
          operation_mode: PROBLEM
          subject: 'Problem: {EVENT.NAME}'
          message: 'Host {HOST.NAME}: {EVENT.OPDATA}'
        - event_source: TRIGGERS
          operation_mode: RECOVERY
          subject: 'Resolved: {EVENT.NAME}'
          message: 'Host {HOST.NAME}, after {EVENT.DURATION}'
        - event_source: TRIGGERS
          operation_mode: UPDATE
          subject: 'Updated problem: {EVENT.NAME}'
          message: 'Host {HOST.NAME}: {USER.FULLNAME} {EVENT.UPDATE.ACTION}. {EVENT.UPDATE.MESSAGE}'
`

const PROXMOX_BODY =
  '{"title":"{{ escape title }}","message":"{{ escape message }}","severity":"{{ severity }}"}'

/** @see https://pve.proxmox.com/pve-docs/chapter-notifications.html */
const proxmox = (address: string) => `# Proxmox: append this to /etc/pve/notifications.cfg.
webhook: roost
	comment Texts by Roost
	method post
	url ${address}
	header name=Content-Type,value=${base64('application/json')}
	body ${base64(PROXMOX_BODY)}

matcher: roost
	target roost
	mode all
`

const tab = 'roost-tab'
/** @see https://nodered.org/docs/user-guide/editor/workspace/import-export */
const nodeRed = (address: string) =>
  `${JSON.stringify(
    [
      { id: tab, type: 'tab', label: 'Roost' },
      ...['failed', 'ok'].map((state, place) => ({
        id: `roost-${state}`,
        type: 'inject',
        z: tab,
        name: `Try ${state}`,
        x: 120,
        y: 80 + 60 * place,
        props: [{ p: 'payload' }],
        payload: JSON.stringify({ host: 'home', service: 'pump', state, message: 'no water' }),
        payloadType: 'json',
        wires: [['roost-text']],
      })),
      {
        id: 'roost-text',
        type: 'http request',
        z: tab,
        name: 'Text by Roost',
        x: 320,
        y: 80,
        method: 'POST',
        ret: 'txt',
        paytoqs: 'ignore',
        url: address,
        headers: [],
        wires: [['roost-answer']],
      },
      {
        id: 'roost-answer',
        type: 'debug',
        z: tab,
        name: 'Answer',
        complete: 'payload',
        x: 520,
        y: 80,
        wires: [],
      },
    ],
    null,
    2,
  )}\n`

/** @see https://github.com/caronc/apprise/wiki/Notify_Custom_JSON */
const apprise = (address: string) =>
  `# apprise --config=FILE -t 'backup of nas' -b 'disk full' -n failure, and -n success at its end
${address.replace(/^http/, 'json')}
`

export const SENDER_FILES: Readonly<Record<string, SenderFile>> = {
  'alertmanager.yml': { contentType: YAML, write: alertmanager },
  'grafana.yaml': { contentType: YAML, write: grafana },
  'home-assistant.yaml': { contentType: YAML, write: homeAssistant },
  'zabbix.yaml': { contentType: YAML, write: zabbix },
  'proxmox.cfg': { contentType: TEXT, write: proxmox },
  'node-red.json': { contentType: 'application/json; charset=utf-8', write: nodeRed },
  'apprise.conf': { contentType: TEXT, write: apprise },
}
