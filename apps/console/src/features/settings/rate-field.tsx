import type { Rate } from '@rowhouse/contracts';
import { Switch, TextInput } from '@mantine/core';
import classes from './settings.module.css';

interface CountFieldProps {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  /** The value that applies while the field is empty. */
  readonly placeholder: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

const USUAL_RATE: Rate = { per_second: 50, burst: 100 };

/** Two fields for a limit: requests per second, and a burst. They are empty without a specific limit. */
export function RateField({ rate, onChange }: { rate: Rate | null; onChange: (rate: Rate | null) => void }) {
  return (
    <>
      <Switch
        aria-label="Limit requests"
        checked={rate !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? USUAL_RATE : null)}
      />
      {rate === null ? null : (
        <div className={classes.rate}>
          <TextInput
            size="xs"
            type="number"
            min={1}
            max={100_000}
            label="Per second"
            value={String(rate.per_second)}
            onChange={(event) => onChange({ ...rate, per_second: Number(event.currentTarget.value) })}
          />
          <TextInput
            size="xs"
            type="number"
            min={1}
            max={100_000}
            step={1}
            label="Burst"
            value={String(rate.burst)}
            onChange={(event) => onChange({ ...rate, burst: Number(event.currentTarget.value) })}
          />
        </div>
      )}
    </>
  );
}

/** A field for a whole number, which may be left empty. */
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
