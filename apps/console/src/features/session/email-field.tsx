import { TextInput } from '@mantine/core';

interface EmailFieldProps {
  readonly value: string;
  readonly onChange: (email: string) => void;
}

/** The email field of the pages for anonymous users. It has the focus at first. */
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
