import { useEffect, useState } from 'preact/hooks'
import { urlOf } from '#console/api.ts'
import { t } from '#console/language.ts'
import { NewTab, When } from '#console/parts/basics.tsx'
import { ProblemRows } from '#console/parts/problem-rows.tsx'
import type { ClusterState } from '#contracts/cluster.ts'
import { handbookOfSection } from '#contracts/handbook.ts'

/** The members report this often. */
const READ_EVERY_MS = 5_000

/** Several gateways with one queue: who leads, and how far the copies are. */
export function Cluster() {
  const state = useCluster()
  return (
    <section class="card" aria-label={t('Cluster')}>
      {state === null && (
        <p>{t('This gateway runs alone. If it fails, nothing is sent until it is back.')}</p>
      )}
      {state && <Members {...state} />}
      <p>
        <NewTab href={handbookOfSection('when-the-pi-must-not-matter')}>{t('How it works')}</NewTab>
      </p>
    </section>
  )
}

/** Null: the gateway is in no cluster. Undefined: it has not answered yet. */
function useCluster(): ClusterState | null | undefined {
  const [state, setState] = useState<ClusterState | null>()
  useEffect(() => {
    let isOpen = true
    let timer: number | undefined
    const read = async () => {
      const answer = await fetch(urlOf('cluster')).catch(() => null)
      const seen: ClusterState | null = answer?.ok ? await answer.json().catch(() => null) : null
      if (!isOpen) return
      if (seen !== null || answer?.status === 404) setState(seen)
      if (answer?.status !== 404) timer = setTimeout(read, READ_EVERY_MS)
    }
    void read()
    return () => {
      isOpen = false
      clearTimeout(timer)
    }
  }, [])
  return state
}

function Members({ id, leader, quorum, log, members, problems }: ClusterState) {
  return (
    <>
      <ProblemRows problems={problems} here="#/settings/cluster" />
      <dl class="facts">
        <dt>{t('Leads')}</dt>
        <dd>{leader === null ? t('none') : t('{name} at {url}', { name: leader.name, url: leader.url })}</dd>
        <dt>{t('Majority of etcd')}</dt>
        <dd>{quorum ? t('answers') : t('does not answer')}</dd>
        <dt>{t('Id')}</dt>
        <dd class="mono">{id}</dd>
      </dl>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Gateway')}</th>
              <th scope="col">{t('Address')}</th>
              <th scope="col">{t('Behind')}</th>
              <th scope="col">{t('Last report')}</th>
            </tr>
          </thead>
          <tbody>
            {members.map(({ name, url, applied, lastSeen }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{url}</td>
                <td>{behindWords(Math.max(0, log.head - applied))}</td>
                <td>
                  <When at={lastSeen} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** A member reports each few seconds, so it always looks a few commits behind. */
function behindWords(count: number): string {
  return t('1 commit|{count} commits', { count })
}
