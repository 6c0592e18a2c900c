import type { DatabaseAnswer } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useCreateKey } from '../../data/keys/mutations.js';
import { ErrorNotice } from '../../ui/error-notice.js';

/** A key with the usual scopes in one click; its secret then fills the examples of this tab. */
export function QuickKeyButton({ database }: { database: DatabaseAnswer }) {
  const create = useCreateKey(database.id);
  return (
    <>
      <Button leftSection={<IconKey size={16} />} loading={create.isPending} onClick={() => create.mutate({ name: `console ${new Date().toISOString().slice(0, 10)}` })}>
        Create key here
      </Button>
      {create.isError ? <ErrorNotice title="The key could not be created" error={create.error} /> : null}
    </>
  );
}
