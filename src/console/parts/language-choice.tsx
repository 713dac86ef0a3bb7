import { chooseLanguage, chosenLanguage, t } from '#console/language.ts'
import { Choice } from '#console/parts/basics.tsx'
import { LANGUAGES } from '#contracts/words.ts'

/** In which language the console speaks, in this browser. */
export function LanguageChoice() {
  const languages = [['', t('As the browser')], ...Object.entries(LANGUAGES)] as const
  return <Choice label={t('Language')} value={chosenLanguage} onValue={chooseLanguage} options={languages} />
}
