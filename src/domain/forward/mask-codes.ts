import { foldText } from '#domain/message/search.ts'

/** Parts of words that stand beside one-time codes. Those of machines and places (barcode) are left out. */
const PARTS = [
  // Languages with Latin letters.
  '(?<!bar|qr|qr-|(?<![a-z])(?:en|de|post))code(?!name|r)|código|codice|koodi|passwor|kennwort|lösenord',
  'adgangskod',
  'mot de passe|wachtwoord|contraseña|palavra-passe|passphrase|one[ -]time|einmalpass|geheimzahl|prüfziffer',
  'senha|hasło|heslo|jelszó|parola|şifre|verif|authenti|engangs|tunnusluku|doğrulama|token|mã xác',
  'zugangsschlüssel|access key|security (?:key|number)|unlock key|clave|clé d.accès|clé de sécur|chave de',
  'toegangssleutel|identifiant unique|two[ -]factor|sign[ -]in number',
  // Greek, Cyrillic, Hebrew, Arabic, Persian, Hindi, Thai.
  'κωδικ|код|парол|קוד|סיסמ|رمز|كود|کد|تحقق|ओटीपी|कोड|รหัส',
  // Chinese, Japanese, Korean.
  '验证|驗證|校验|动态码|密码|密碼|认證|认证|認証|確認コード|暗証|コード|パスワード|인증|비밀번호|확인코드',
]
/** Whole words: as parts, they are in many others. */
const WORDS = [
  'otp|pin|nip|pwd|cvc|cvv|2fa|tac|(?:m|i|sms|push|photo|chip|mobile|app|secure)?tan|пин|cod',
  'kod|kode|kodu|kodo|koda|kodet|koden|kodem|kodun|kodunuz',
]
/** Words that mean a code only straight before a number: `Enter 482913`, `Key: 482913`. */
const BEFORE = [
  'enter|pass|key|log[ -]?in|sign[ -]?in|(?:log in|sign in|confirm|verify) with|anmelden|schlüssel',
  'bestätigen|geben sie|freigabe mit|entrez|saisissez|confirmez avec|clé|connexion|introduzca|introduce',
  'ingrese|llave|inserisci|chiave|conferma con',
  'insira|digite|chave|confirm[ae] com|bevestig met|voer|sleutel|wpisz|podaj',
  'klucz|potwierdź|введите|ключ|подтвердите|ange|nyckel|bekräfta med|nøgle',
]
/** Words that mean a code straight behind a number: `482913 to log in`, `482913 eingeben`. */
const BEHIND = [
  '(?:to|zum|zur) (?:log|sign|verify|confirm|continue|anmeld|einlogg|bestätig|freigabe)|eingeben|ein, um',
  'bestätigen|pour (?:vous |te )?(?:conne|vérif|confirm|valid)',
  'para (?:iniciar|acce|entrar|verif|confirm|valid)',
  'ein und|per (?:acce|conferm|entrar|verif)|om (?:in te|te bev)|aby|żeby',
  'для (?:входа|подтв)|för att (?:log|bekr|ver)',
]
const SIGNS = '[^\\p{L}\\p{Nd}]'
const VERB = `(?:(?:is|ist|lautet|est|es|e|to|ar)${SIGNS}{1,4})?`
/** The alternatives in brackets are forms in which phones and pages of the web read a code from a text. */
const CODE_WORD = new RegExp(
  [
    foldCodes(PARTS.join('|')),
    `(?<!\\p{L})(?:${foldCodes(WORDS.join('|'))})(?!\\p{L})`,
    `(?<!\\p{L})(?:${foldCodes(BEFORE.join('|'))})${SIGNS}{1,4}${VERB}\\p{Nd}{3}`,
    `\\p{Nd}{3}${SIGNS}{1,4}(?:${foldCodes(BEHIND.join('|'))})`,
    '(?:<#>|\\[#\\]|@[\\w.-]{1,64} #\\p{Nd})',
  ].join('|'),
  'u',
)

/**
 * Up to ten digits, or several such groups with a space or a hyphen between them. Short groups may have any
 * signs between them; behind a long one those end the code: `482913, 5 minutes`.
 */
const DIGITS =
  /(?<!\p{Nd})\p{Nd}{1,10}(?:(?:[ \u00a0-]|(?<!\p{Nd}{4})[^\p{L}\p{Nd}]{1,3})\p{Nd}{1,10})*(?!\p{Nd})/gu
const DIGITS_MIN = 4
/** Capitals and digits mixed, as `K7XB2`. */
const MIXED = /(?<![\p{L}\p{Nd}])(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{4,10}(?![\p{L}\p{Nd}])/gu

/**
 * Replaces the digits of one-time codes by `*`. In a text with a word for a code, every number of 4 to 10
 * digits counts as one, however far away: a hidden amount is a small loss, a code on the wrong screen is not.
 */
export function maskCodes(text: string): string {
  if (!CODE_WORD.test(joinInitials(foldCodes(text)))) return text
  return text
    .replace(DIGITS, written => {
      const digits = written.replace(/\P{Nd}/gu, '')
      return [...digits].length < DIGITS_MIN ? written : written.replace(/\p{Nd}/gu, '*')
    })
    .replace(MIXED, written => '*'.repeat(written.length))
}

/** Makes full-width and other variants of letters plain, and removes invisible characters. */
function foldCodes(text: string): string {
  return foldText(text.normalize('NFKC')).replace(/\p{Cf}/gu, '')
}

/** `O.T.P.` and `o t p` as `OTP`. */
function joinInitials(text: string): string {
  return text.replace(/(?<!\p{L})\p{L}(?:[.\- ]\p{L}(?!\p{L}))+/gu, written => written.replace(/\P{L}/gu, ''))
}
