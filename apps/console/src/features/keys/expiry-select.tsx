import { NativeSelect } from '@mantine/core';
import { EXPIRY_CHOICES } from './describe-key.js';

interface ExpirySelectProps {
  /** The number of days until the expiry as text, or '' for no expiry. */
  readonly days: string;
  readonly onChange: (days: string) => void;
}

/** A field for the time until a new credential expires. */
export function ExpirySelect({ days, onChange }: ExpirySelectProps) {
  return (
    <NativeSelect
      label="Expires"
      data={[...EXPIRY_CHOICES]}
      value={days}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
