import { TextInput } from '@mantine/core';

interface ConfirmLossFieldProps {
  /** The name of the environment, which the user must type. */
  readonly environment: string;
  readonly value: string;
  readonly onChange: (typed: string) => void;
}

/**
 * Asks the user to confirm that data will be lost, by typing the name of the environment. The caller compares
 * the typed text.
 */
export function ConfirmLossField({ environment, value, onChange }: ConfirmLossFieldProps) {
  return (
    <TextInput
      label={
        <>
          Type <strong>{environment}</strong> to confirm data loss
        </>
      }
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
