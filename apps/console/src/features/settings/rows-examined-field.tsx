import { TextInput } from '@mantine/core';

const ROWS_MIN = 1_000;
const ROWS_MAX = 1_000_000_000_000;

interface RowsExaminedFieldProps {
  readonly rows: number | null;
  readonly onChange: (rows: number | null) => void;
}

/** Rows that one statement may be expected to look at; empty for what the installation allows. */
export function RowsExaminedField({ rows, onChange }: RowsExaminedFieldProps) {
  return (
    <TextInput
      size="xs" type="number" min={ROWS_MIN} max={ROWS_MAX} step={1} aria-label="Rows a statement may look at" placeholder="default"
      value={rows === null ? '' : String(rows)} onChange={(event) => onChange(event.currentTarget.value === '' ? null : Number(event.currentTarget.value))}
    />
  );
}
