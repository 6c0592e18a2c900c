import type { DatabaseAnswer } from '@rowhouse/contracts';
import { toApiError } from '../../data/client/api-error.js';
import { describeSeed, useSeedRows } from '../../data/rows/seed-rows.js';
import { showToast } from '../../ui/toasts.js';

/** Sample rows for what is empty, with a notice of what came of it: the rows themselves may have taken the button from the page by then. */
export function useFillTables(database: Pick<DatabaseAnswer, 'id'>) {
  const seed = useSeedRows(database);
  const fill = (): void => {
    seed.mutateAsync().then(
      (answer) => showToast({ text: describeSeed(answer) }),
      (error: unknown) => showToast({ text: `No sample rows were made: ${toApiError(error).message}`, tone: 'brick' }),
    );
  };
  return { fill, isPending: seed.isPending };
}
