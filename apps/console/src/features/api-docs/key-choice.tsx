import { NativeSelect } from '@mantine/core';
import { chooseSecret, useHeldSecrets } from '../../data/keys/key-vault.js';

/**
 * Selects the key for the examples, from those whose secret this tab holds. Shows nothing if there is no
 * choice.
 */
export function KeyChoice({ databaseId }: { databaseId: string }) {
  const held = useHeldSecrets(databaseId);
  if (held.length < 2) return null;
  // The order does not depend on the selection.
  const options = [...held]
    .sort((a, b) => a.name.localeCompare(b.name) || a.secret.localeCompare(b.secret))
    .map(({ secret, name }) => ({ value: secret, label: `${name} …${secret.slice(-4)}` }));
  return (
    <NativeSelect
      aria-label="Key of the examples"
      data={options}
      value={held[0]?.secret}
      onChange={(event) => chooseSecret(databaseId, event.currentTarget.value)}
    />
  );
}
