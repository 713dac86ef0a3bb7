import { foldText } from '#domain/message/search.ts'

/** Parts of words that stand beside one-time codes. */
const PARTS = [
  // Languages with Latin letters.
  'code|código|codice|koodi|passwor|passwort|kennwort|lösenord|adgangskod|mot de passe|wachtwoord|contraseña',
  'senha|hasło|heslo|jelszó|parola|şifre|verif|one-time|authenti|engangs|tunnusluku|doğrulama|token|mã xác',
  // Greek, Cyrillic, Hebrew, Arabic, Persian, Hindi, Thai.
  'κωδικ|код|парол|קוד|סיסמ|رمز|كود|کد|تحقق|ओटीपी|कोड|รหัส',
  // Chinese, Japanese, Korean.
  '验证|驗證|校验|动态码|密码|密碼|认证|認証|確認コード|暗証|コード|パスワード|인증|비밀번호|확인코드',
].join('|')
/** Whole words: as parts, they are in many others. */
const WORDS = 'otp|pin|tan|mtan|smstan|pushtan|phototan|cvc|cvv|2fa|kod|kode|kodu|kodo|koda|kodet|koden|пин'
/** The end is the form in which pages of the web read a code from a text: `@example.com #123456`. */
const CODE_WORD = new RegExp(
  `${foldText(PARTS)}|(?<!\\p{L})(?:${foldText(WORDS)})(?!\\p{L})|@[\\w.-]+ #\\p{Nd}`,
  'u',
)

/** Up to ten digits, or several such groups with a space or a hyphen between them. */
const DIGITS = /(?<!\p{Nd})\p{Nd}{1,10}(?:[ \u00a0-]\p{Nd}{1,10})*(?!\p{Nd})/gu
const DIGITS_MIN = 4

/**
 * Replaces the digits of one-time codes by `*`. In a text with a word for a code, every number of 4 to 10
 * digits counts as one, however far away: a hidden amount is a small loss, a code on the wrong screen is not.
 */
export function maskCodes(text: string): string {
  if (!CODE_WORD.test(foldText(text))) return text
  return text.replace(DIGITS, written => {
    const digits = written.replace(/\P{Nd}/gu, '')
    return [...digits].length < DIGITS_MIN ? written : written.replace(/\p{Nd}/gu, '*')
  })
}
