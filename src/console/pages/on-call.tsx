/** Who is on call, what waits for somebody, and who is told in which order. */

import type { ComponentChildren } from 'preact'
import { call } from '#console/api.ts'
import { t } from '#console/language.ts'
import { canRing, type Names, nameOf, targetWords } from '#console/on-call-words.ts'
import { Dotted, Empty, Fault, Loading, NewTab, PageHead } from '#console/parts/basics.tsx'
import { Danger } from '#console/parts/danger.tsx'
import { EarlierIncidents } from '#console/parts/earlier-incidents.tsx'
import { IncidentCard } from '#console/parts/incident-card.tsx'
import { PhoneNumber } from '#console/parts/phone-number.tsx'
import { RotaBoard } from '#console/parts/rota-board.tsx'
import { T } from '#console/parts/t.tsx'
import { Walk } from '#console/parts/walk.tsx'
import { may } from '#console/session-of-reader.ts'
import { alertWords } from '#console/trouble.ts'
import { useIncidents } from '#console/use-incidents.ts'
import { useAction, useResource } from '#console/use-resource.ts'
import type { DeviceListItem } from '#contracts/device.ts'
import type { GroupResource } from '#contracts/group.ts'
import type { IncidentResource } from '#contracts/incident.ts'
import type { PersonResource, PolicyResource, RotaResource } from '#contracts/on-call.ts'

export function OnCallPage() {
  const people = useResource<readonly PersonResource[]>('people', [])
  const rotas = useResource<readonly RotaResource[]>('rotas', ['incident'])
  const policies = useResource<readonly PolicyResource[]>('policies', [])
  const waiting = useIncidents()
  const groups = useResource<readonly GroupResource[]>('groups', [])
  const phones = useResource<readonly DeviceListItem[]>('devices', ['device'])
  const resources = [people, rotas, policies, groups, phones, waiting]
  const reload = () => {
    for (const one of resources) one.reload()
  }
  const names = { people: people.data ?? [], rotas: rotas.data ?? [], groups: groups.data ?? [] }
  // If a call failed, the page must not say that nothing waits.
  const isKnown = resources.every(({ data }) => data !== undefined)
  const isNew = policies.data?.length === 0 && names.people.length === 0 && names.rotas.length === 0
  const incidents = waiting.data ?? []
  return (
    <>
      <PageHead title={t('On call')} heading={isKnown && !isNew ? waitsWords(incidents) : t('On call')} />
      <Fault error={resources.find(({ error }) => error !== null)?.error ?? null} retry={reload} />
      {!isKnown && resources.some(({ isLoading }) => isLoading) && <Loading />}
      {isKnown && isNew && <First />}
      {isKnown && !isNew && (
        <div class="duty-board">
          <div class="alerts">
            {incidents.map(one => (
              <IncidentCard
                key={one.id}
                incident={one}
                names={names}
                phones={phones.data ?? []}
                hearsAnswers={phones.data?.some(({ receives }) => receives) === true}
                changed={waiting.reload}
              />
            ))}
          </div>
          <div class="on-duty">
            <Rotas {...names} />
          </div>
          <div class="plans">
            <Policies
              policies={policies.data ?? []}
              names={names}
              rings={canRing(phones.data)}
              rehearsed={waiting.reload}
            />
            <EarlierIncidents people={names.people} />
          </div>
          <div class="folk">
            <People people={names.people} />
            <Groups {...names} />
          </div>
        </div>
      )}
    </>
  )
}

/** The heading, to be read at three in the morning. */
function waitsWords(incidents: readonly IncidentResource[]) {
  const open = incidents.filter(({ state }) => state !== 'taken').length
  if (incidents.length === 0) return <span class="good">{t('Nothing waits for anybody.')}</span>
  if (open === 0) return <span class="good">{t('Somebody has every alert.')}</span>
  return <span class="bad">{alertWords(open)}</span>
}

function First() {
  return (
    <Empty title={t('Alerts that somebody answers')} drawing="night">
      <p>
        <T>
          A policy says who hears of an alert first, and who is next if nobody takes it. People take it by a
          text: they answer “2”. Phones can ring, too.
        </T>
      </p>
      <p>
        <a class="button primary" href="#/policies/new">
          {t('Make the first policy')}
        </a>
      </p>
      <NewTab href="handbook/alerts-that-somebody-answers">{t('How it works')}</NewTab>
    </Empty>
  )
}

interface GroupProps {
  readonly title: string
  readonly add: readonly [href: string, word: string]
  readonly children: ComponentChildren
}

function Group({ title, add: [href, word], children }: GroupProps) {
  return (
    <section>
      <div class="row apart group-head">
        <h2>{title}</h2>
        <a href={href}>{word}</a>
      </div>
      {children}
    </section>
  )
}

interface PoliciesProps {
  readonly policies: readonly PolicyResource[]
  readonly names: Names
  readonly rings: boolean
  readonly rehearsed: () => void
}

function Policies({ policies, names, rings, rehearsed }: PoliciesProps) {
  return (
    <Group title={t('Policies')} add={['#/policies/new', t('Make a policy')]}>
      {policies.length === 0 && <p class="hint">{t('No policy yet: alerts wait for nobody.')}</p>}
      {policies.length > 0 && (
        <ul class="list policies">
          {policies.map(policy => (
            <PolicyLine key={policy.id} policy={policy} names={names} rings={rings} rehearsed={rehearsed} />
          ))}
        </ul>
      )}
    </Group>
  )
}

/** A policy with its steps as a line of minutes, and the button that tries it. */
function PolicyLine({
  policy,
  names,
  rings,
  rehearsed,
}: Omit<PoliciesProps, 'policies'> & { policy: PolicyResource }) {
  const rehearsal = useAction()
  const namesOf = (targets: readonly string[]) => targets.map(one => targetWords(one, names)).join(', ')
  const who = namesOf([...new Set(policy.steps.flatMap(({ tell }) => tell))])
  const rehearse = () =>
    rehearsal.run(async () => {
      await call('POST', `policies/${policy.id}/rehearse`)
      rehearsed()
    })
  return (
    <li>
      <div class="item policy">
        <a href={`#/policies/${policy.id}`}>
          <strong>{policy.name}</strong>
        </a>
        {may('operator') && (
          <Danger
            word={t('Rehearse')}
            keep={t('Not now')}
            question={t(
              'This sends real texts to {who}: each begins with TEST, and a step comes every 10 seconds. ' +
                'Where a step rings, phones ring. It ends when somebody takes or closes it.',
              { who },
            )}
            onConfirm={() => void rehearse()}
          />
        )}
        <Walk steps={policy.steps} names={names} rings={rings} />
        <Fault error={rehearsal.error} />
      </div>
    </li>
  )
}

function Groups({ groups, people }: Names) {
  // A group is of use where there are several people.
  if (groups.length === 0 && people.length < 2) return null
  return (
    <Group title={t('Groups of people')} add={['#/groups/new', t('Make a group')]}>
      {groups.length === 0 && (
        <p class="hint">{t('No group: webhooks and policies name people one by one.')}</p>
      )}
      {groups.length > 0 && (
        <ul class="list">
          {groups.map(group => (
            <li key={group.id}>
              <a href={`#/groups/${group.id}`}>
                <strong>{group.name}</strong>
                <span class="dim about">
                  <Dotted parts={group.people.map(id => nameOf(id, people))} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Group>
  )
}

function Rotas({ rotas, people }: Names) {
  return (
    <Group title={t('Rotas')} add={['#/rotas/new', t('Make a rota')]}>
      {rotas.length === 0 && <p class="hint">{t('No rota: people do not take turns.')}</p>}
      <ul class="rotas">
        {rotas.map(rota => (
          <RotaBoard key={rota.id} rota={rota} people={people} />
        ))}
      </ul>
    </Group>
  )
}

function People({ people }: Pick<Names, 'people'>) {
  return (
    <Group title={t('People')} add={['#/people/new', t('Add a person')]}>
      {people.length === 0 && <p class="hint">{t('Nobody yet.')}</p>}
      {people.length > 0 && (
        <ul class="list">
          {people.map(({ id, name, phoneNumber, quiet }) => (
            <li key={id}>
              <a href={`#/people/${id}`}>
                <strong>{name}</strong>
                <span class="end">
                  <PhoneNumber number={phoneNumber} />
                </span>
                <span class="dim">
                  {quiet === null
                    ? t('no quiet hours')
                    : t('quiet from {from} to {to}', { from: quiet.from, to: quiet.to })}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Group>
  )
}
