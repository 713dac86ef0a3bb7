/** The part of the settings about the cluster. What a member answers is from test/e2e/cluster.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { ClusterState } from '#contracts/cluster.ts'
import { clusterProblems } from '#domain/health/cluster-rules.ts'
import {
  checkAccessibility,
  onLan,
  openBrowser,
  openPage,
  withoutBrowser,
} from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'

const lastSeen = new Date().toISOString()
const STATE = v.parse(ClusterState, {
  id: 'clu_5f0c2d9a7b31e84466aa01c2',
  name: 'one',
  role: 'leader',
  leader: { name: 'one', url: 'https://10.0.0.1:8443' },
  quorum: true,
  log: { head: 4711, applied: 4711 },
  members: [
    { name: 'one', url: 'https://10.0.0.1:8443', applied: 4711, lastSeen },
    { name: 'two', url: 'https://10.0.0.2:8443', applied: 4700, lastSeen },
  ],
  problems: clusterProblems({
    lagging: [{ name: 'two', since: Date.now(), cause: 'its copy is behind' }],
    aloneSince: null,
    noQuorumSince: null,
  }),
})

test('the settings show who leads, how far the others are, and what is wrong', {
  skip: withoutBrowser,
  timeout: HANGS_AFTER_MS,
}, async t => {
  const gateway = await startGateway()
  t.after(() => gateway.stop())
  const address = onLan(gateway.url)
  const context = await (await openBrowser(t)).newContext()
  const { page, faults } = await openPage(context)
  await logInBrowser(context, gateway, address)
  await page.goto(`${address}/#/settings/cluster`)
  await page.getByText('This gateway runs alone').waitFor()
  assert.equal(faults.splice(0).filter(fault => !fault.includes('404')).length, 0)

  await page.route('**/cluster', route => route.fulfill({ json: STATE }))
  await page.reload()
  await page.getByRole('row', { name: 'two https://10.0.0.2:8443 11 commits' }).waitFor()
  await page.getByRole('row', { name: 'one https://10.0.0.1:8443 0 commits' }).waitFor()
  await page.getByText('one at https://10.0.0.1:8443').waitFor()
  await page.getByText('The gateway two of the cluster cannot go on for another').waitFor()
  await checkAccessibility(page)
  assert.deepEqual(faults, [])
})
