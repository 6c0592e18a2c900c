import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { describeSeed, useSeedRows } from '../../../data/rows/seed-rows.js';
import { showFailure } from '../../../ui/notices/show-failure.js';
import { showToast } from '../../../ui/notices/toasts.js';

/**
 * A button that fills empty tables with rows that fit their columns. It is not shown for production
 * databases, where sample rows are not wanted.
 */
export function SeedButton({ database }: { database: DatabaseResponse }) {
  const { fill, isPending } = useFillTables(database);
  if (database.environment === 'production') return null;
  // The button's label wraps, because the panel may be narrow.
  return (
    <Button
      maw="100%"
      h="auto"
      mih={30}
      py={5}
      styles={{ label: { whiteSpace: 'normal' } }}
      size="xs"
      variant="default"
      leftSection={<IconSparkles size={15} />}
      loading={isPending}
      onClick={fill}
    >
      Fill empty tables with sample rows
    </Button>
  );
}

/**
 * Returns a function that fills empty tables with sample rows. A notice reports the result, because the
 * button may have disappeared by then.
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
