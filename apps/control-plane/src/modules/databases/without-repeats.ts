import type { UpdateDatabaseRequest } from '@rowhouse/contracts';

type Settings = UpdateDatabaseRequest['settings'];

/**
 * Removes repeated names in setting lists, because gateways keep the settings of every database they serve.
 */
export function withoutRepeats(settings: Settings): Settings {
  const {
    require_if_match: guarded,
    hidden_columns: hidden,
    unindexed_columns: unindexed,
    number_columns: numbers,
  } = settings;
  return {
    ...settings,
    ...(guarded === undefined ? {} : { require_if_match: [...new Set(guarded)] }),
    ...(hidden === undefined ? {} : { hidden_columns: eachOnce(hidden) }),
    ...(unindexed === undefined ? {} : { unindexed_columns: eachOnce(unindexed) }),
    ...(numbers === undefined ? {} : { number_columns: eachOnce(numbers) }),
  };
}

function eachOnce(columns: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(columns).map(([table, names]) => [table, [...new Set(names)]]));
}
