import { t } from '#console/language.ts'
import { type Names, personAt, policyWords, targetWords } from '#console/on-call-words.ts'
import { Sign } from '#console/parts/sign.tsx'
import type { PolicyResource } from '#contracts/on-call.ts'

interface WalkProps extends Pick<PolicyResource, 'steps'> {
  readonly names: Names
  /** Whether a phone that can call is online. */
  readonly rings?: boolean
}

/** The steps of a policy as a line, with the names of who is told. */
export function Walk({ steps, names, rings = true }: WalkProps) {
  return (
    <ol class="walk" aria-label={policyWords({ steps }, names)}>
      {steps.map(({ afterMinutes, tell, ring, ringHours }, index) => (
        <li key={index}>
          <span class="minute">
            {afterMinutes === 0 ? t('at once') : t('{count} min', { count: afterMinutes })}
          </span>
          <span class="whom">
            {tell.map(target => (
              <Whom key={target} target={target} names={names} />
            ))}
            {ring && !rings && (
              <a class="wait" href="#/devices">
                {t('does not ring now')}
              </a>
            )}
            {ring && rings && (
              <span class="dim">
                <Sign of="rings" />{' '}
                {ringHours ? t('rings from {from} to {to}', { ...ringHours }) : t('rings')}
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Whom a step tells, as far as that is known now: `Ada`, and below it the rota in which she is on call. */
function Whom({ target, names }: { target: string; names: Names }) {
  const rota = names.rotas.find(({ id }) => id === target.replace('+1', ''))
  const person = personAt(target, names, Date.now())
  if (rota === undefined || person === null) return <strong dir="auto">{targetWords(target, names)}</strong>
  return (
    <>
      <strong dir="auto">{person}</strong>
      <span class="dim" dir="auto">
        {target.endsWith('+1') ? t('next in {rota}', { rota: rota.name }) : rota.name}
      </span>
    </>
  )
}
