import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';

/** Some four hundred zones are proposed, which are listed only once somebody is in the field. */
export function TimeZoneField({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const id = useId();
  const [zones, setZones] = useState<readonly string[]>([]);
  return (
    <>
      <TextInput
        size="xs" aria-label="Time zone" list={id} value={zone} maxLength={64}
        onFocus={() => setZones((known) => (known.length === 0 ? ['UTC', ...Intl.supportedValuesOf('timeZone')] : known))}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={id}>{zones.map((name) => <option key={name} value={name} />)}</datalist>
    </>
  );
}
