import { TextInput } from '@mantine/core';

interface CountFieldProps {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  /** The value that applies while the field is empty. */
  readonly placeholder: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

/** A whole number, or none. */
export function CountField({ label, min, max, placeholder, value, onChange }: CountFieldProps) {
  return (
    <TextInput
      size="xs"
      w={150}
      type="number"
      min={min}
      max={max}
      step={1}
      aria-label={label}
      placeholder={placeholder}
      value={value === null ? '' : String(value)}
      onChange={(event) =>
        onChange(event.currentTarget.value === '' ? null : Number(event.currentTarget.value))
      }
    />
  );
}
