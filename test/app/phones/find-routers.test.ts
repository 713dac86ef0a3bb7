import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findRouters } from '#app/phones/find-routers.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

test('a stick with the firmware of a router is told from a modem and from other devices', t => {
  const root = temporaryDirectory(t)
  const add = (device: string, facts: Readonly<Record<string, string>>, drivers: readonly string[]) => {
    const folder = join(root, 'sys/bus/usb/devices', device)
    mkdirSync(folder, { recursive: true })
    for (const [fact, text] of Object.entries(facts)) writeFileSync(join(folder, fact), `${text}\n`)
    for (const [index, driver] of drivers.entries()) {
      mkdirSync(`${folder}:1.${index}`)
      symlinkSync(`../../drivers/${driver}`, join(`${folder}:1.${index}`, 'driver'))
    }
  }
  add('1-1', { idVendor: '12d1', manufacturer: 'HUAWEI', product: 'HUAWEI_MOBILE' }, [
    'cdc_ether',
    'cdc_ether',
  ])
  add('1-1.2', { idVendor: '12d1', manufacturer: 'HUAWEI', product: 'E3372' }, ['option', 'huawei_cdc_ncm'])
  add('1-2', { idVendor: '0bda', manufacturer: 'Realtek', product: 'Ethernet' }, ['cdc_ether'])
  add('1-3', { idVendor: '19d2' }, ['rndis_host', 'usb-storage'])
  add('1-4', { idVendor: '12d1', product: 'not driven' }, [])
  assert.deepEqual(findRouters(root), ['HUAWEI HUAWEI_MOBILE', 'USB device 1-3'])
  assert.deepEqual(findRouters(join(root, 'nowhere')), [])
})
