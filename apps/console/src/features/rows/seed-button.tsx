import type { DatabaseAnswer } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { toApiError } from '../../data/client/api-error.js';
import { describeSeed, useSeedRows } from '../../data/rows/seed-rows.js';
import { showToast } from '../../ui/toasts.js';

/** Fills what is empty with rows that look like the columns. Not offered where users' rows are: nobody wants made-up ones there. */
export function SeedButton({ database }: { database: DatabaseAnswer }) {
  const seed = useSeedRows(database);
  if (database.environment === 'production') return null;
  const fill = (): void => seed.mutate(undefined, {
    onSuccess: (answer) => showToast({ text: describeSeed(answer) }),
    onError: (error) => showToast({ text: `No sample rows were made: ${toApiError(error).message}`, tone: 'brick' }),
  });
  return <Button size="xs" variant="default" leftSection={<IconSparkles size={15} />} loading={seed.isPending} onClick={fill}>Fill empty tables with sample rows</Button>;
}
