import type { DatabaseAnswer } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useFillTables } from './use-fill-tables.js';

/** Fills what is empty with rows that look like the columns. Not offered where users' rows are: nobody wants made-up ones there. */
export function SeedButton({ database }: { database: DatabaseAnswer }) {
  const { fill, isPending } = useFillTables(database);
  if (database.environment === 'production') return null;
  // Takes two lines where it stands in a narrow panel.
  return <Button maw="100%" h="auto" mih={30} py={5} styles={{ label: { whiteSpace: 'normal' } }} size="xs" variant="default" leftSection={<IconSparkles size={15} />} loading={isPending} onClick={fill}>Fill empty tables with sample rows</Button>;
}
