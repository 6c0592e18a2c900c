import type { DatabaseAnswer } from '@rowhouse/contracts';
import { describeSeed, useSeedRows } from '../../data/rows/seed-rows.js';
import { showFailure } from '../../ui/show-failure.js';
import { showToast } from '../../ui/toasts.js';

/**
 * Fills empty tables with sample rows and reports the result as a notice. The button may be gone by then,
 * because the tables have rows.
 */
export function useFillTables(database: Pick<DatabaseAnswer, 'id'>) {
  const seed = useSeedRows(database);
  const fill = (): void => {
    seed.mutateAsync().then(
      (answer) => showToast({ text: describeSeed(answer) }),
      (error: unknown) => showFailure('Couldn’t create sample rows', error),
    );
  };
  return { fill, isPending: seed.isPending };
}
