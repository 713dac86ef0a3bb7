/** Zabbix' own server and its web API, with the media type that Roost makes for it. */
import { BIN, CLOSED, OPEN, type Program } from '#scripts/senders/program.ts'

/** What an administrator does in the web pages, by the same calls. */
const SET_UP = `<?php
function call($method, $params, $token = null) {
  $body = ['jsonrpc' => '2.0', 'id' => 1, 'method' => $method, 'params' => $params, 'auth' => $token];
  $head = 'Content-Type: application/json';
  $http = ['method' => 'POST', 'header' => $head, 'content' => json_encode($body)];
  $context = stream_context_create(['http' => $http]);
  $answer = file_get_contents('http://127.0.0.1:$port2/api_jsonrpc.php', false, $context);
  $said = json_decode($answer, true);
  if (!isset($said['result'])) { fwrite(STDERR, "$method: $answer\\n"); exit(1); }
  return $said['result'];
}
$token = call('user.login', ['user' => 'Admin', 'password' => 'zabbix']);
if ($argv[1] === 'ack') {
  $event = call('problem.get', ['sortfield' => ['eventid']], $token)[0]['eventid'];
  call('event.acknowledge', ['eventids' => $event, 'action' => 6, 'message' => 'I look at it'], $token);
  exit(0);
}
$rules = ['mediaTypes' => ['createMissing' => true, 'updateExisting' => true]];
$file = file_get_contents('GATEWAY/senders/zabbix.yaml?token=TOKEN');
call('configuration.import', ['format' => 'yaml', 'source' => $file, 'rules' => $rules], $token);
$type = call('mediatype.get', ['filter' => ['name' => 'Roost']], $token)[0]['mediatypeid'];
$media = ['mediatypeid' => $type, 'sendto' => 'roost', 'active' => 0, 'severity' => 63];
$user = call('user.create', [
  'username' => 'roost', 'passwd' => 'correct-Horse-1', 'roleid' => 3, 'usrgrps' => [['usrgrpid' => 7]],
  'medias' => [$media + ['period' => '1-7,00:00-24:00']],
], $token)['userids'][0];
$host = call('host.create', ['host' => 'nas', 'groups' => [['groupid' => 2]]], $token)['hostids'][0];
$lamps = [['disk', '/: Disk space is critically low', 4], ['link', 'Interface eth0(): Link down', 3]];
foreach ($lamps as [$key, $name, $priority]) {
  $item = ['name' => $key, 'key_' => $key, 'hostid' => $host, 'type' => 2, 'value_type' => 3];
  call('item.create', $item, $token);
  $expression = "last(/nas/$key)=1";
  $trigger = ['description' => $name, 'expression' => $expression, 'priority' => $priority];
  call('trigger.create', $trigger, $token);
}
$message = ['default_msg' => 1, 'mediatypeid' => $type];
$twice = ['operationtype' => 0, 'esc_step_from' => 1, 'esc_step_to' => 2, 'esc_period' => '60s'];
call('action.create', [
  'name' => 'Roost', 'eventsource' => 0, 'esc_period' => '60s',
  'operations' => [$twice + ['opmessage' => $message, 'opmessage_usr' => [['userid' => $user]]]],
  'recovery_operations' => [['operationtype' => 11, 'opmessage' => ['default_msg' => 1]]],
  'update_operations' => [['operationtype' => 12, 'opmessage' => ['default_msg' => 1]]],
  'filter' => ['evaltype' => 0, 'conditions' => [['conditiontype' => 1, 'operator' => 0, 'value' => $host]]],
], $token);
`

export const ZABBIX: Program = {
  packages: [
    'ca-certificates,curl,hostname,procps,postgresql,zabbix-server-pgsql,zabbix-frontend-php,php-cli',
    'php-pgsql,php-mbstring,php-gd,php-xml,php-bcmath,php-curl,zabbix-sender',
  ].join(),
  files: {
    '/etc/zabbix/zabbix_server.conf': `DBHost=/tmp
DBName=zabbix
DBUser=postgres
LogFile=/tmp/zabbix_server.log
PidFile=/tmp/zabbix_server.pid
SocketDir=/tmp
ListenIP=127.0.0.1
ListenPort=$port
CacheUpdateFrequency=1
StartPollers=1
StartDiscoverers=0
StartHTTPPollers=0
StartPingers=0
`,
    '/etc/zabbix/zabbix.conf.php': `<?php
$DB['TYPE'] = 'POSTGRESQL';
$DB['SERVER'] = '/tmp';
$DB['PORT'] = '0';
$DB['DATABASE'] = 'zabbix';
$DB['USER'] = 'postgres';
$DB['PASSWORD'] = '';
$DB['SCHEMA'] = '';
$DB['ENCRYPTION'] = false;
$DB['DOUBLE_IEEE754'] = true;
$ZBX_SERVER = '127.0.0.1';
$ZBX_SERVER_PORT = '$port';
$IMAGE_FORMAT_DEFAULT = IMAGE_FORMAT_PNG;
`,
    '/set-up.php': SET_UP,
    [`${BIN}/lamp`]: `#!/bin/sh
until zabbix_sender -z 127.0.0.1 -p $port -s nas -k $1 -o $2 | grep -q 'failed: 0'; do sleep 1; done`,
  },
  problem: `db=$(echo /usr/lib/postgresql/*/bin)
as() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
as $db/initdb -D /tmp/db -A trust -E UTF8 --locale C.UTF-8 >/dev/null
as $db/pg_ctl -D /tmp/db -w -l /tmp/db.log -o '-k /tmp -h "" -F' start >/dev/null
as createdb -h /tmp zabbix
for part in schema images data; do zcat /usr/share/zabbix-server-pgsql/$part.sql.gz; done |
  as psql -q -h /tmp zabbix >/dev/null
chmod 1777 /tmp && zabbix_server
php -S 127.0.0.1:$port2 -t /usr/share/zabbix >/var/log/php.log 2>&1 &
until curl -fs 127.0.0.1:$port2/index.php >/dev/null; do sleep 0.5; done
php /set-up.php all
lamp disk 1`,
  steps: ['lamp link 1', 'php /set-up.php ack', 'sleep 70; lamp disk 0'],
  texts: [
    'PROBLEM High: /: Disk space is critically low on nas',
    'PROBLEM Average: Interface eth0(): Link down on nas',
    'Owner has it: ACKNOWLEDGED /: Disk space is critically low on nas. Zabbix Administrator (Admin): I',
    'RESOLVED /: Disk space is critically low on nas',
  ],
  incidents: [CLOSED, OPEN],
}
