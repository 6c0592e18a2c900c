import type { DatabaseSettings } from '@rowhouse/contracts';

/** The members of a draft that differ from what is stored. */
export function listChanges(stored: DatabaseSettings, draft: DatabaseSettings): Partial<DatabaseSettings> {
  const names = Object.keys(draft) as (keyof DatabaseSettings)[];
  const changed = names.filter((name) => JSON.stringify(stored[name]) !== JSON.stringify(draft[name]));
  return Object.fromEntries(changed.map((name) => [name, draft[name]]));
}
