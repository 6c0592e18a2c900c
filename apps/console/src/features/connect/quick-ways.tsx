import type { CreatedConnectionResponse, DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconDatabase, IconKey } from '@tabler/icons-react';
import { useCreateConnection } from '../../data/connections/mutations.js';
import { useCreateKey } from '../../data/keys/mutations.js';
import { copyText } from '../../ui/code/copy-text.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { showToast } from '../../ui/notices/toasts.js';

interface QuickWaysProps {
  readonly database: DatabaseResponse;
  readonly onKey: () => void;
  readonly onConnection: (created: CreatedConnectionResponse) => void;
}

/** Creates a key or a connection string in one click and copies it to the clipboard. */
export function QuickWays({ database, onKey, onConnection }: QuickWaysProps) {
  const key = useCreateKey(database.id);
  const connection = useCreateConnection(database.id);
  const makeKey = (): void =>
    key.mutate(
      { name: nameOfToday() },
      {
        onSuccess: (created) => {
          void reportCopied(created.secret, 'API key');
          onKey();
        },
      },
    );
  const makeConnection = (): void =>
    connection.mutate(
      { name: nameOfToday(), role: 'read-write' },
      {
        onSuccess: (created) => {
          void reportCopied(created.connection_string, 'connection string');
          onConnection(created);
        },
      },
    );
  return (
    <>
      <Button variant="default" leftSection={<IconKey size={16} />} loading={key.isPending} onClick={makeKey}>
        New API key
      </Button>
      <Button
        variant="default"
        leftSection={<IconDatabase size={16} />}
        loading={connection.isPending}
        onClick={makeConnection}
      >
        New connection string
      </Button>
      {key.isError ? <ErrorNotice title="Couldn’t create the key" error={key.error} /> : null}
      {connection.isError ? (
        <ErrorNotice title="Couldn’t create the connection" error={connection.error} />
      ) : null}
    </>
  );
}

function nameOfToday(): string {
  return `console ${new Date().toISOString().slice(0, 10)}`;
}

async function reportCopied(text: string, what: string): Promise<void> {
  showToast({
    text: (await copyText(text))
      ? `New ${what} copied. It’s also shown below, this one time.`
      : `Couldn’t copy the new ${what}. It’s shown below, this one time.`,
  });
}
