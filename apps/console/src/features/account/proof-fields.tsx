import { PasswordInput, TextInput } from '@mantine/core';

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isFocused?: boolean;
}

/** Asks for the password of the signed-in account. */
export function PasswordField({ email, value, onChange, isFocused = false }: FieldProps & { email: string }) {
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        required
        {...(isFocused ? { 'data-autofocus': true } : {})}
      />
    </>
  );
}

/** Asks for a code of the authenticator app, or a recovery code. */
export function CodeField({
  value,
  onChange,
  description,
  isFocused = false,
}: FieldProps & { description: string }) {
  return (
    <TextInput
      label="Code"
      description={description}
      autoComplete="one-time-code"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={40}
      spellCheck={false}
      required
      {...(isFocused ? { autoFocus: true } : {})}
    />
  );
}
