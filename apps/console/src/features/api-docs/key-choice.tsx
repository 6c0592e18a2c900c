import { NativeSelect } from '@mantine/core';
import { chooseSecret, useHeldSecrets } from '../../data/keys/key-vault.js';

/** Which of the keys that this tab has seen fills the examples in. Nothing to choose between: nothing is shown. */
export function KeyChoice({ databaseId }: { databaseId: string }) {
  const held = useHeldSecrets(databaseId);
  if (held.length < 2) return null;
  // In an order that stays, whichever is chosen.
  const options = [...held].sort((a, b) => a.name.localeCompare(b.name) || a.secret.localeCompare(b.secret)).map(({ secret, name }) => ({ value: secret, label: `${name} …${secret.slice(-4)}` }));
  return <NativeSelect aria-label="Key of the examples" data={options} value={held[0]?.secret} onChange={(event) => chooseSecret(databaseId, event.currentTarget.value)} />;
}
