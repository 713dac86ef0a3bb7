/**
 * The files that make Roost a systemd service, for both `roost service install` and the Debian package.
 */

export const SERVICE_USER = 'roost'
export const SERVICE_DATA_DIR = '/var/lib/roost'
/** The directory for the program's compiled code. CacheDirectory= of the unit makes it. */
export const SERVICE_CACHE_DIR = '/var/cache/roost'
/** The directory for nightly backups that the handbook names. The unit lets the service write to it. */
export const SERVICE_BACKUP_DIR = '/var/backups/roost'
export const SERVICE_CONFIG = '/etc/roost/config.toml'

/** Creates the service's user: a file for systemd-sysusers(8). */
export const SYSUSERS_TEXT = `u ${SERVICE_USER} - "Roost SMS gateway" ${SERVICE_DATA_DIR}\n`

/**
 * A rule for polkit(8): the service's user may send, receive and call through ModemManager, which otherwise
 * allows this only to people at the screen. Nobody else gets anything by it.
 */
export const POLKIT_RULE_TEXT = `polkit.addRule(function (action, subject) {
  var allowed = ["Messaging", "Voice", "USSD", "Device.Control"];
  var prefix = "org.freedesktop.ModemManager1.";
  var isAllowed = allowed.some(function (name) { return action.id === prefix + name; });
  if (isAllowed && subject.user === "${SERVICE_USER}") return polkit.Result.YES;
});
`

/** The initial configuration file of the service. */
export const SERVICE_CONFIG_TEXT = `# The configuration of the Roost service. Every key has a default;
# the handbook and config.example.toml list them. After a change: systemctl reload roost
# (roost check-config reports all faults at once).

data_dir = "${SERVICE_DATA_DIR}"
`

const SANDBOX = `# Sandbox. MemoryDenyWriteExecute= is left out, because V8 compiles code in memory.
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
PrivateIPC=yes
PrivateMounts=yes
ProtectHostname=yes
ProtectClock=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectProc=invisible
ProcSubset=pid
# Netlink: the list of network interfaces comes from it.
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources @obsolete @debug @mount @swap @reboot @cpu-emulation
SystemCallErrorNumber=EPERM
DevicePolicy=closed
`

/** The text of the unit. `program`: the words that start the program. */
export function unitText(program: readonly string[]): string {
  const command = [...program, 'serve', '--config', SERVICE_CONFIG].map(quoted).join(' ')
  return `[Unit]
Description=Roost SMS gateway
Documentation=man:roost(1)
After=network.target
# Never give up restarting. RestartSec limits the rate.
StartLimitIntervalSec=0

[Service]
Type=notify
# systemd 253 and newer opens this descriptor, and the program writes its messages to it. Older versions
# ignore the line, and the program runs systemd-notify, which needs NotifyAccess=all.
OpenFile=/run/systemd/notify:notify:graceful
NotifyAccess=all
ExecStart=${command}
ExecReload=/bin/kill -HUP $MAINPID
User=${SERVICE_USER}
Group=${SERVICE_USER}
StateDirectory=roost
StateDirectoryMode=0700
CacheDirectory=roost
CacheDirectoryMode=0700
ConfigurationDirectory=roost
RuntimeDirectory=roost
ReadWritePaths=-${SERVICE_BACKUP_DIR}
WorkingDirectory=${SERVICE_DATA_DIR}
Environment=ROOST_DATA_DIR=${SERVICE_DATA_DIR}
UMask=0077
Restart=always
RestartSec=2
# 75: another instance holds the data directory. 2: wrong usage.
RestartPreventExitStatus=75 2
TimeoutStartSec=180
TimeoutStopSec=30
WatchdogSec=120
# SIGTERM goes to the main process only, SIGKILL to all that are left.
KillMode=mixed
OOMPolicy=stop
# For a machine of 1 GB.
MemoryHigh=320M
MemoryMax=448M
TasksMax=64
LimitNOFILE=16384
# The watchdog ends a hanging program by SIGABRT: a dump would be 150 MB.
LimitCORE=0

${SANDBOX}
[Install]
WantedBy=multi-user.target
`
}

/** Quotes a word for ExecStart=, so that systemd expands nothing in it. */
function quoted(word: string): string {
  const literal = word.replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /^[\w@%$./:=+-]+$/.test(literal) ? literal : `"${literal.replace(/["\\]/g, '\\$&')}"`
}
