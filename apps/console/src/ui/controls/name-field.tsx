import { TextInput } from '@mantine/core';

interface NameFieldProps {
  readonly label?: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (name: string) => void;
  /** Whether the field has the focus when a dialog opens. */
  readonly isFocused?: boolean;
}

const LENGTH_MAX = 100;

/** A field for the required name of a project or another object. */
export function NameField({
  label = 'Name',
  placeholder,
  value,
  onChange,
  isFocused = true,
}: NameFieldProps) {
  return (
    <TextInput
      label={label}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={LENGTH_MAX}
      required
      autoComplete="off"
      {...(isFocused ? { 'data-autofocus': true } : {})}
    />
  );
}
