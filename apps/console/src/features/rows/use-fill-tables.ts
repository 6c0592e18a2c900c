import type { DatabaseAnswer } from '@rowhouse/contracts';
import { describeSeed, useSeedRows } from '../../data/rows/seed-rows.js';
import { showFailure } from '../../ui/show-failure.js';
import { showToast } from '../../ui/toasts.js';

/** Sample rows for what is empty, with a notice of what came of it: the rows themselves may have taken the button from the page by then. */
export function useFillTables(database: Pick<DatabaseAnswer, 'id'>) {
  const seed = useSeedRows(database);
  const fill = (): void => {
    seed.mutateAsync().then(
      (answer) => showToast({ text: describeSeed(answer) }),
      (error: unknown) => showFailure('No sample rows were made', error),
    );
  };
  return { fill, isPending: seed.isPending };
}
