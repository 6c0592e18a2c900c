import { TextInput } from '@mantine/core';

interface EmailFieldProps {
  readonly value: string;
  readonly onChange: (email: string) => void;
}

/** The email field of the pages for users who are not signed in. It has the focus when the page opens. */
export function EmailField({ value, onChange }: EmailFieldProps) {
  return (
    <TextInput
      label="Email"
      type="email"
      autoComplete="username"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      required
      size="md"
      autoFocus
    />
  );
}
