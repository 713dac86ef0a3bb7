/** The form fields for the e-mail address and the passwords of an account. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ApiError } from '#console/api.ts'
import { t } from '#console/language.ts'
import { Field } from '#console/parts/basics.tsx'
import { passwordWord } from '#console/words-of-states.ts'

interface AccountFieldProps {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error: ApiError | null
  readonly isFirst?: boolean
}

export function EmailField({ value, onValue, error, isFirst = false }: AccountFieldProps) {
  return (
    <Field
      label={t('E-mail address')}
      isFirst={isFirst}
      type="email"
      name="email"
      autoComplete="username"
      required
      value={value}
      onValue={onValue}
      issue={error?.issueOf('email')}
    />
  )
}

interface PasswordFieldProps extends AccountFieldProps {
  readonly label: string
  /** The name of the field in the API. */
  readonly name?: 'password' | 'currentPassword'
  readonly isShown?: boolean
}

/** The current password of the account. */
export function PasswordField(props: PasswordFieldProps) {
  const { label, name = 'password', value, onValue, error, isFirst = false } = props
  return (
    <Field
      label={label}
      isFirst={isFirst}
      type={props.isShown === true ? 'text' : 'password'}
      name={name}
      autoComplete="current-password"
      required
      value={value}
      onValue={onValue}
      issue={error?.issueOf(name)}
    />
  )
}

interface NewPasswordFieldProps extends PasswordFieldProps {
  /** Shown while the field is empty. */
  readonly hint: ComponentChildren
  readonly required: boolean
}

/** The field for a new password. It shows how strong the password is, or why the API refused it. */
export function NewPasswordField({ label, value, onValue, error, ...props }: NewPasswordFieldProps) {
  const [refused, setRefused] = useState<string | null>(null)
  useEffect(() => setRefused(value), [error])
  const issue = value === refused ? error?.issueOf('password') : undefined
  const hint = value === '' ? props.hint : passwordWord(value)
  return (
    <Field
      label={label}
      isFirst={props.isFirst ?? false}
      type={props.isShown === true ? 'text' : 'password'}
      name="password"
      autoComplete="new-password"
      required={props.required}
      value={value}
      onValue={onValue}
      hint={hint}
      issue={issue}
    />
  )
}
