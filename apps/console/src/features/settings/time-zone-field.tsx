import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';

/** Suggests about 400 time zones, which are listed only once the field has the focus. */
export function TimeZoneField({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const id = useId();
  const [zones, setZones] = useState<readonly string[]>([]);
  return (
    <>
      <TextInput
        size="xs"
        aria-label="Time zone"
        list={id}
        value={zone}
        maxLength={64}
        onFocus={() =>
          setZones((known) => (known.length === 0 ? ['UTC', ...Intl.supportedValuesOf('timeZone')] : known))
        }
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={id}>
        {zones.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
