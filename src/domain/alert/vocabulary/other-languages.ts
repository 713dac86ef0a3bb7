/** The words of field names in other languages, without accents, by the English word. */
const WORDS: Readonly<Record<string, string>> = {
  message: 'meldung nachricht mensaje mensagem messaggio bericht melding texte texto testo tekst',
  description: 'beschreibung descripcion descrizione descricao beschrijving',
  state: 'zustand estado statut etat stato stan staat toestand 状态 ステータス',
  severity: 'schweregrad gravite gravedad gravita gravidade',
  reason: 'grund ursache motif motivo causa',
  event: 'ereignis evenement evento',
  device: 'gerat geraet dispositivo appareil apparaat equipo enhed enhet',
  server: 'serveur servidor',
  plant: 'anlage instalacion impianto anlaeg anlegg anlaggning',
  site: 'standort sede filiale ubicacion',
  sensor: 'fuhler fuehler capteur sensore',
  zone: 'zona bereich',
  room: 'raum stald piece habitacion stanza',
  name: 'nom nombre nome naam bezeichnung',
  value: 'aktuel wert valeur valor valore waarde messwert',
}

const ENGLISH: ReadonlyMap<string, string> = new Map(
  Object.entries(WORDS).flatMap(([english, words]) => words.split(' ').map(word => [word, english] as const)),
)

/** The English word for a word of a field name in lower case. Any other word stays as it is. */
export function inEnglish(word: string): string {
  const known = ENGLISH.get(word)
  if (known !== undefined || /^[a-z]*$/.test(word) || word.length > 24) return known ?? word
  const bare = word.normalize('NFD').replace(/\p{M}/gu, '')
  return ENGLISH.get(bare) ?? word
}
