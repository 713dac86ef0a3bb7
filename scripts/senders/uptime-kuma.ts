/** Uptime Kuma of npm on Debian's Node and MariaDB, because its own SQLite is a download that npm has not. */
import { CLOSED, OPEN, type Program } from '#scripts/senders/program.ts'

/** What a person does in its pages, by the same events, with the defaults of its form. */
const SET_UP = `
const { io } = require('/opt/node_modules/socket.io-client')
const socket = io('http://127.0.0.1:$port')
const ask = (...args) =>
  new Promise((done, fail) => socket.emit(...args, said => (said.ok ? done(said) : fail(said.msg))))
const form = {
  type: 'port', hostname: '127.0.0.3', parent: null, url: 'https://', method: 'GET', interval: 20,
  retryInterval: 20, resendInterval: 1, maxretries: 0, timeout: 16, ignoreTls: false, upsideDown: false,
  packetSize: 56, expiryNotification: false, maxredirects: 10, accepted_statuscodes: ['200-299'],
  dns_resolve_type: 'A', dns_resolve_server: '1.1.1.1', docker_container: '', docker_host: null,
  proxyId: null, mqttUsername: '', mqttPassword: '', mqttTopic: '', mqttSuccessMessage: '',
  authMethod: null, oauth_auth_method: 'client_secret_basic', httpBodyEncoding: 'json',
  kafkaProducerBrokers: [], kafkaProducerSaslOptions: { mechanism: 'None' }, gamedigGivenPortOnly: true,
}
socket.once('connect', async () => {
  await ask('setup', 'admin', 'correct-horse-1')
  await ask('login', { username: 'admin', password: 'correct-horse-1', token: '' })
  const hook = { name: 'Roost', type: 'webhook', webhookURL: 'ADDRESS', webhookContentType: 'json' }
  const { id } = await ask('addNotification', { ...hook, isDefault: true, applyExisting: false }, null)
  const both = { ...form, notificationIDList: { [id]: true } }
  await ask('add', { ...both, name: 'nas web', port: $port })
  await ask('add', { ...both, name: 'nas ssh', port: $port2 })
  setTimeout(() => process.exit(0), 5000)
})
`
/** A service that runs until a file is there, and again once it is gone. */
const LAMP = `
const { existsSync } = require('node:fs')
const { createServer } = require('node:net')
const [, , port, file] = process.argv
const server = createServer(socket => socket.on('error', () => {}).end())
setInterval(() => {
  if (existsSync(file) && server.listening) server.close()
  if (!existsSync(file) && !server.listening) server.listen(port, '127.0.0.3')
}, 200)
`

export const UPTIME_KUMA: Program = {
  packages: 'ca-certificates,curl,hostname,procps,nodejs,mariadb-server',
  npm: 'uptime-kuma@2.0.0-dev.0',
  files: {
    '/etc/hosts': '127.0.0.1 localhost\n',
    '/kuma/db-config.json': JSON.stringify({
      type: 'mariadb',
      hostname: '127.0.0.1',
      port: '$port2',
      dbName: 'kuma',
      username: 'kuma',
      password: 'kuma',
    }),
    '/set-up.js': SET_UP,
    '/lamp.js': LAMP,
  },
  problem: `mkdir -p /run/mysqld && chown mysql: /run/mysqld
mariadb-install-db --user=mysql --datadir=/db >/dev/null
mariadbd --user=mysql --datadir=/db --bind-address=127.0.0.1 --port=$port2 2>/var/log/db.log &
grant="grant all on *.* to kuma@localhost identified by 'kuma'"
until mariadb -e "$grant" 2>/dev/null; do sleep 0.5; done
node /lamp.js $port /web & node /lamp.js $port2 /ssh &
DATA_DIR=/kuma/ node /opt/node_modules/uptime-kuma/extra/cli.js --run --host=127.0.0.1 --port=$port \\
  >/var/log/kuma.log 2>&1 &
until curl -fs 127.0.0.1:$port/api/entry-page >/dev/null; do sleep 0.5; done
node /set-up.js
touch /web`,
  steps: ['touch /ssh', 'sleep 30; rm /web'],
  texts: ['DOWN nas web: ', 'DOWN nas ssh: ', 'UP nas web'],
  incidents: [CLOSED, OPEN],
}
