import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useFillTables } from './use-fill-tables.js';

/**
 * Fills empty tables with rows that fit their columns. It is not offered for production, where sample rows
 * are not wanted.
 */
export function SeedButton({ database }: { database: DatabaseResponse }) {
  const { fill, isPending } = useFillTables(database);
  if (database.environment === 'production') return null;
  // The label wraps in a narrow panel.
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
