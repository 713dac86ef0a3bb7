import { ENGLISH } from '#contracts/words.ts'
import { freeNumber } from '#domain/incident/free-number.ts'
import { type Answer, chooseIncident, readAnswer } from '#domain/incident/read-answer.ts'
import { openIncident, stepIncident } from '#domain/incident/step-incident.ts'

/** The functions under test. A mutant replaces one of them. */
export interface IncidentModel {
  readonly openIncident: typeof openIncident
  readonly stepIncident: typeof stepIncident
  readonly readAnswer: (text: string) => Answer | null
  readonly chooseIncident: typeof chooseIncident
  readonly freeNumber: typeof freeNumber
}

export const REAL_MODEL: IncidentModel = {
  openIncident,
  stepIncident,
  readAnswer: text => readAnswer(text, ENGLISH),
  chooseIncident,
  freeNumber,
}
