import type { DatabaseSettings } from '@rowhouse/contracts';

/** Returns the settings in a draft that differ from the stored ones. */
export function listChanges(stored: DatabaseSettings, draft: DatabaseSettings): Partial<DatabaseSettings> {
  const names = Object.keys(draft) as (keyof DatabaseSettings)[];
  const changed = names.filter((name) => JSON.stringify(stored[name]) !== JSON.stringify(draft[name]));
  return Object.fromEntries(changed.map((name) => [name, draft[name]]));
}
