import { TextInput } from '@mantine/core';

interface NameFieldProps {
  readonly value: string;
  readonly onChange: (name: string) => void;
}

const LENGTH_MAX = 100;

/** The required name of a project or another object. A dialog gives it the focus. */
export function NameField({ value, onChange }: NameFieldProps) {
  return (
    <TextInput
      label="Name"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={LENGTH_MAX}
      required
      data-autofocus
      autoComplete="off"
    />
  );
}
