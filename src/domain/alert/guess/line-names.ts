/* The names of `Name: value` lines that matter most, in the languages of senders. */
const REASON = new RegExp(
  '^(?:(?:error|status|event|failure|alert|problem|cause) )?' +
    '(?:messages?|error|reason|details?|description|warning|cause|event|fault' +
    '|problem|alarm|hint|fatal|impact)$' +
    '|^(?:reason|cause) for .{2,30}$|^(?:status|error|fault|http|fehler|exit|fout|fel)[ -]?code$' +
    "|^(?:codice|código|code|kod) (?:d')?(?:errore?|erreur|erro|błędu)$|詳細|内容$|^原因|メッセージ$" +
    '|^(?:fehler(?:meldung|text)?|grund|ursache|ereignis|beschreibung|meldung|störung|motif|défaut|erreur' +
    '|événement|motivo|causa|razón|avería|evento|descripción|errore|guasto|descrizione|reden|oorzaak' +
    '|foutmelding|gebeurtenis|omschrijving|błąd|przyczyna|zdarzenie|opis|erro|falha|descrição|chyba' +
    '|příčina|orsak|fel|larm|årsag|fejl)$',
  'iu',
)
const MEASURE = new RegExp(
  '^(?:(?:current |last )?(?:value|reading|usage|load|level)|used|utili[sz]ation|health' +
    '|(?:\\p{L}+ )?(?:wert|valeur|valor|valore|waarde)' +
    '|(?:aktuelle[rs]?|actual|current|actuelle?|huidige) \\p{L}+' +
    '|\\p{L}+ (?:actual|actuelle?|attuale|value|reading))$',
  'iu',
)

/** What a machine is, which says nothing about an alert. */
const DULL = new RegExp(
  '^(?:distro|arch(?:itecture)?|kernel|os|uptime|(?:\\w+ )?version|serial(?: no\\.?| number)?|s/n' +
    '|mac(?: address)?)$',
  'i',
)

/** Whether a line with this name says nothing about an alert. */
export function isDullName(name: string): boolean {
  return DULL.test(name)
}

/** Whether a line with this name says why. */
export function isReasonName(name: string): boolean {
  return REASON.test(name)
}

/** Names of limits and of what a program did, whose value is no reading. */
const NO_READING = new RegExp(
  '(?:limit|threshold|schwell|grenzwert|seuil|umbral|soglia|grens|grænse|próg|max|min|setpoint|target|size' +
    '|größe|taille|tamaño|dimensione|duration|dauer|durée|duración|durata|duur|interval|period|since' +
    '|uptime|update|estimat|expect|next)',
  'iu',
)
const READING = new RegExp(
  '^[<>~]?-?\\d{1,7}(?:[.,]\\d{1,4})? ?(?:%|°?[CF]|[kM]?[VAW]|kWh|[KMGT]i?[Bo]|m?bar|ppm|dBm?' +
    '|min(?:ut\\p{L}*)?\\.?)$',
  'u',
)

/** Whether a line says what was measured, which a title without a number lacks. */
export function isMeasure(name: string, value: string): boolean {
  return MEASURE.test(name) ? /\d/.test(value) : READING.test(value) && !NO_READING.test(name)
}

const PLACE = new RegExp(
  '^(?:(?!user|file|event|rule|alert|alarm|full|first|last|display)(?:\\p{L}+ )?' +
    '(?:name|sensor|device|zone|room|location|area|channel|camera|unit|point)' +
    '|gerät|anlage|zone|raum|standort|ort|kamera|bereich|melder|appareil|équipement|lieu|emplacement|pièce' +
    '|caméra|hôte|serveur|equipo|dispositivo|ubicación|zona|cámara|lugar|apparecchio|posizione|telecamera' +
    '|apparaat|locatie|ruimte|urządzenie|wejście|obiekt|lokalizacja|equipamento|local|enhet|plats|enhed)$',
  'iu',
)

/** Whether a line with this name says which part it is, or where. */
export function isPlaceName(name: string): boolean {
  return PLACE.test(name)
}
