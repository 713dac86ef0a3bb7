/* The names of `Name: value` lines that matter most, in the languages of senders. */
const REASON = new RegExp(
  '^(?:(?:error|status|event|failure|alert|problem|cause) )?' +
    '(?:messages?|error|reason|details?|description|warning|cause|event|fault|problem|alarm|hint|fatal)$' +
    '|^(?:status|error|fault|http|fehler|exit)[ -]?code$' +
    '|^(?:fehler(?:meldung|text)?|grund|ursache|ereignis|beschreibung|meldung|störung|motif|défaut|erreur' +
    '|événement|motivo|causa|razón|avería|evento|descripción|errore|guasto|descrizione|reden|oorzaak' +
    '|foutmelding|gebeurtenis|omschrijving|błąd|przyczyna|zdarzenie|opis|erro|falha|descrição|chyba' +
    '|příčina|orsak|fel|årsag|fejl)$',
  'iu',
)
const MEASURE = new RegExp(
  '^(?:(?:current |last )?(?:value|reading|usage|load|level)|used|utili[sz]ation|health' +
    '|(?:\\p{L}+ )?(?:wert|valeur|valor|valore|waarde)' +
    '|(?:aktuelle[rs]?|actual|current|actuelle?|huidige) \\p{L}+' +
    '|\\p{L}+ (?:actual|actuelle?|attuale|value|reading))$',
  'iu',
)

/** Whether a line with this name says why. */
export function isReasonName(name: string): boolean {
  return REASON.test(name)
}

/** Whether a line with this name says what was measured, which a title without a number lacks. */
export function isMeasureName(name: string): boolean {
  return MEASURE.test(name)
}
