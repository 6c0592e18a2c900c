import { PasswordInput } from '@mantine/core';
import { findPasswordFault, PASSWORD_LENGTH_MAX, PASSWORD_RULE } from '@rowhouse/contracts/password-rule';
import { useState } from 'react';

interface NewPasswordFieldProps {
  readonly label?: string;
  readonly value: string;
  /** The email address of the account, or null while it is unknown. The password must differ from it. */
  readonly email: string | null;
  readonly onChange: (value: string) => void;
  readonly size?: 'sm' | 'md';
  readonly hasFocus?: boolean;
}

/** A field for a new password. When it loses the focus, it checks the password with the server's rule. */
export function NewPasswordField({
  label = 'Password',
  value,
  email,
  onChange,
  size = 'md',
  hasFocus = false,
}: NewPasswordFieldProps) {
  const [wasLeft, setLeft] = useState(false);
  const fault = wasLeft && value !== '' ? findPasswordFault(value, email) : null;
  return (
    <PasswordInput
      label={label}
      description={PASSWORD_RULE}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={fault === null ? undefined : `This password ${fault}.`}
      autoComplete="new-password"
      maxLength={PASSWORD_LENGTH_MAX}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => setLeft(true)}
      required
      size={size}
      autoFocus={hasFocus}
    />
  );
}
