import type { License } from '@rowhouse/contracts';
import { TextInput } from '@mantine/core';
import { readTerms, writeTerms } from './license-terms.js';

interface LicenseFieldProps {
  readonly license: License | null;
  readonly onChange: (license: License | null) => void;
}

/** A field for a license: its name, and an SPDX identifier or a URL. An empty name removes the license. */
export function LicenseField({ license, onChange }: LicenseFieldProps) {
  const terms = license === null ? '' : writeTerms(license);
  return (
    <>
      <TextInput
        size="xs"
        aria-label="License name"
        placeholder="None"
        maxLength={100}
        value={license?.name ?? ''}
        onChange={(event) =>
          onChange(
            event.currentTarget.value === ''
              ? null
              : { name: event.currentTarget.value, ...readTerms(terms) },
          )
        }
      />
      {license === null ? null : (
        <TextInput
          size="xs"
          aria-label="SPDX identifier or URL"
          placeholder="CC-BY-4.0 or https://…"
          maxLength={500}
          value={terms}
          onChange={(event) => onChange({ name: license.name, ...readTerms(event.currentTarget.value) })}
        />
      )}
    </>
  );
}
