import type { DatabaseResponse } from '@rowhouse/contracts';
import { describeSeed, useSeedRows } from '../../data/rows/seed-rows.js';
import { showFailure } from '../../ui/show-failure.js';
import { showToast } from '../../ui/toasts.js';

/**
 * Fills empty tables with sample rows and reports the result as a notice. The button may be gone by then,
 * because the tables have rows.
 */
export function useFillTables(database: Pick<DatabaseResponse, 'id'>) {
  const seed = useSeedRows(database);
  const fill = (): void => {
    seed.mutateAsync().then(
      (response) => showToast({ text: describeSeed(response) }),
      (error: unknown) => showFailure('Couldn’t create sample rows', error),
    );
  };
  return { fill, isPending: seed.isPending };
}
