/** Finds USB sticks that look like modems and are small routers (HiLink): ModemManager cannot drive them. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

/** USB numbers of Huawei, ZTE and Alcatel, whose sticks are sold with either firmware. */
const VENDORS = ['12d1', '19d2', '1bbb']
/** Linux drivers of a network card, and those of a modem: a stick with one of these is no mere router. */
const NETWORK_DRIVERS = ['cdc_ether', 'rndis_host']
const MODEM_DRIVERS = ['option', 'cdc_acm', 'qmi_wwan', 'cdc_mbim', 'huawei_cdc_ncm', 'cdc_wdm']

/** Returns their names. `root`: a prefix of all paths, for tests. */
export function findRouters(root = ''): string[] {
  const devices = join(root, '/sys/bus/usb/devices')
  let names: string[]
  try {
    names = readdirSync(devices)
  } catch {
    return []
  }
  const read = (device: string, fact: string) => {
    try {
      return readFileSync(join(devices, device, fact), 'utf8').trim()
    } catch {
      return ''
    }
  }
  return names.flatMap(device => {
    if (!VENDORS.includes(read(device, 'idVendor'))) return []
    // The parts of a USB device: `1-1.2:1.0` belongs to `1-1.2`.
    const parts = names.filter(name => name.startsWith(`${device}:`))
    const drivers = parts.map(part => driverOf(join(devices, part)))
    const isRouter = drivers.some(name => NETWORK_DRIVERS.includes(name))
    if (!isRouter || drivers.some(name => MODEM_DRIVERS.includes(name))) return []
    return [`${read(device, 'manufacturer')} ${read(device, 'product')}`.trim() || `USB device ${device}`]
  })
}

function driverOf(part: string): string {
  try {
    return basename(readlinkSync(join(part, 'driver')))
  } catch {
    return ''
  }
}
