/** What else people call what a page of the handbook is about, for its search. */
export const OTHER_NAMES = {
  'start-here': 'begin, introduction, overview, tutorial, price, cost, licence, open source',
  'the-console': 'web page, dashboard, user interface, browser, language, dark mode, menu, log in',
  phones: 'which phone do I need, connect a phone, pair, supported devices, hardware, Termux',
  'a-phone-with-smsgate':
    'connect an Android phone, app, local server, phone is offline, Wi-Fi, wrong password of the ' +
    'phone, find it again',
  'a-phone-with-smsgate-elsewhere':
    'remote phone, second site, other place, branch, cloud mode, mobile data, pairing code',
  'a-phone-with-smsgate-through-another-computer': 'agent, bridge, relay, other network, VLAN',
  'a-modem':
    'USB stick, dongle, SIM card, PIN, LTE, 4G, HAT, Huawei, Quectel, SIMCom, ModemManager, ' +
    'prepaid credit, balance',
  'what-android-does-to-texts':
    'RCS, battery optimisation, dual SIM, Android version, sideload, permission, 2G, 3G',
  drivers: 'dual SIM, own command, exec, pretend phone, try without a phone, log',
  pace: 'speed, throughput, capacity, how many texts per minute or hour, slow, bulk',
  'caps-of-a-sim': 'limit of a SIM, tariff, contract, quota, cost, spending, monthly allowance',
  'does-it-really-work-let-it-prove-it': 'drill, self test, check the SIM, texts do not arrive, proof',
  'groups-of-phones': 'two phones, several phones, office, load balancing',
  alerts: 'webhook, monitoring, first alert, notify me',
  senders:
    'Uptime Kuma, Grafana, Healthchecks, Proxmox, Node-RED, apprise, Alertmanager, Prometheus, ' +
    'Gatus, cron, systemd, smartd, RAID, ZFS, UPS, NUT, power cut, Netdata, borgmatic, monit, ' +
    'Icinga, Nagios, Zabbix, fail2ban, SNMP trap, ansible, shell script, disk',
  'files-for-senders': 'configuration file, import, provisioning, download',
  'devices-that-can-only-send-e-mail': 'email to SMS, mail to text, SMTP, printer, camera, NAS, UPS card',
  'a-mail-server-in-front': 'exim, Postfix, msmtp, nullmailer, smarthost, relay, sendmail, MTA',
  'programs-made-for-another-gateway':
    'compatible, Gotify, ntfy, Signal, SMSEagle, Kannel, httpSMS, playSMS, Nextcloud, authentik, ' +
    'Novu, SMSGate API, drop-in',
  'teach-roost-your-sender': 'unknown sender, wrong text, mapping, fields, custom JSON, AWS SNS',
  'texts-in-your-own-words': 'template, custom message, placeholder, variable, wording, format of an alert',
  'settings-of-a-webhook':
    'recipients, severity filter, allowed IP addresses, cap per hour, disable a webhook',
  'storms-and-silence':
    'too many messages, flood, spam, digest, batch, dead man, nothing comes, maintenance window, ' +
    'mute, snooze, duplicate',
  'alerts-that-somebody-answers':
    'on-call, policy, person, people, family, group of people, team, acknowledge, incident, ' + 'escalation',
  answers: 'reply to an alert, respond, acknowledge by text, take it, commands by SMS',
  'steps-and-their-bounds':
    'escalation, next person, rounds, quiet hours, do not disturb at night, nobody answers, ' +
    'limits of alerts',
  ringing: 'voice call, phone call, wake me up at night, CallGate, loud',
  'three-examples':
    'on-call rota, roster, shift, schedule of people, swap, handover, couple, family, shop, ' +
    'administrators',
  'on-call-products-without-texts': 'PagerDuty, Opsgenie, GoAlert, integration',
  'one-time-codes':
    'OTP, 2FA, verify, verification code, login code, JavaScript, Node, Python, PHP, sample code, ' +
    'brute force',
  'the-api':
    'send a text with curl, REST, HTTP, OpenAPI, Swagger, endpoint, cancel a message, schedule a ' +
    'message, later, planned, idempotency, retry, export, CSV, spreadsheet, list, pagination, ' +
    'health check, time to live',
  statuses:
    'delivery report, receipt, delivered, failed, expired, status codes, unknown outcome, state ' +
    'of a message',
  refusals: 'error codes, HTTP status, rate limit, too many requests, unauthorized, forbidden',
  numbers: 'phone number format, E.164, country code, short code, validation, international, emergency',
  'sandbox-numbers': 'test numbers, test key, simulate a failure, sandbox',
  'tests-and-ci': 'test in CI, pipeline, mock, sandbox, GitHub Actions, integration test',
  'from-twilio': 'Twilio, migrate, replace, status callback, account SID, auth token, TwiML',
  'received-texts': 'incoming texts, inbound SMS to my app, inbox, read texts',
  'stop-who-wants-no-more-texts': 'unsubscribe, opt out, blocklist, consent, START, spam law',
  'pass-received-texts-on': 'forward, Telegram, Matrix, Slack, Discord, mailbox, SMS to email, bank code',
  notifications:
    'webhook of my program, callback, events, signature, verify, HMAC, delivery report, retries, ' + 'replay',
  operating: 'run, data directory, files',
  'install-as-a-service':
    'Debian package, Ubuntu, Raspberry Pi, systemd, start at boot, apt, firewall, ports, reload',
  'in-a-container': 'Docker, Podman, compose, Kubernetes, Synology, NAS, image',
  'found-on-the-network': 'mDNS, Bonjour, avahi, discovery, zeroconf',
  'home-assistant': 'Home Assistant, MQTT, smart home, broker, entity',
  'https-on-your-lan': 'certificate, TLS, SSL, encryption, self-signed, authority, Let’s Encrypt',
  'behind-a-proxy': 'reverse proxy, nginx, Caddy, Traefik, Apache, public internet, subdomain, WebSocket',
  memory: 'RAM, requirements, how many open texts, size of the machine',
  logs: 'log, journal, debug, events to watch',
  'what-is-wrong':
    'problems, health, monitoring, status, metrics, Prometheus, phone offline, battery low, disk ' + 'full',
  alarms: 'tell me when the gateway fails, heartbeat, watchdog, self monitoring, offline',
  'whose-texts-and-for-how-long':
    'GDPR, privacy, delete a person, retention, personal data, erase, storage, encryption at ' +
    'rest, database size',
  backup: 'save, copy, nightly, snapshot',
  damage: 'corrupt database, repair, integrity',
  restore: 'recover, bring back, disaster',
  'when-the-pi-must-not-matter':
    'high availability, failover, cluster, redundancy, two boxes, second gateway, standby, etcd, ' +
    'keepalived, replication',
  'what-you-see-when-box-1-dies': 'failover, takeover, a gateway dies, outage, disaster',
  upgrade: 'update, new version, downgrade, roll back, migration',
  move: 'new machine, new hardware, migrate, other computer',
  uninstall: 'remove Roost, delete, purge, clean up',
  'accounts-and-keys': 'API key, token, plan, tenant, customers, revoke, emoji, credentials',
  'users-and-roles':
    'permissions, rights, invite, colleague, forgot password, change password, audit log, LDAP, ' +
    'single sign-on, two-factor login',
  'the-command-line': 'commands, CLI, terminal, options, exit code, completion',
  configuration: 'settings file, config.toml, environment variables, defaults',
  troubleshooting: 'help, does not work, message did not arrive, error, doctor, fix',
  limits:
    'iPhone, MMS, picture, long texts, parts, segments, emoji, bulk, Windows, what it cannot do, ' +
    'processor, arm64',
}
