import type { DatabaseResponse, Scope } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { afterChange } from '../../data/client/use-change.js';
import { useCreateKey } from '../../data/keys/mutations.js';
import { copyText } from '../../ui/code/copy-text.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { useCurrentDatabase, useMay } from '../shell/current-database.js';

interface QuickKeyButtonProps {
  readonly database: DatabaseResponse;
  /** The scopes of the new key. Defaults to the scopes that a new key usually has. */
  readonly scopes?: Scope[];
  readonly label?: string;
}

/**
 * A button that creates an API key, and copies its secret if the browser allows this. The examples in this
 * tab then use the secret. Shows nothing to members who may not create keys.
 */
export function QuickKeyButton({ database, scopes, label = 'Create key' }: QuickKeyButtonProps) {
  const { project } = useCurrentDatabase();
  const canCreate = useMay(project, 'developer');
  const create = useCreateKey(database.id);
  // The panel of the new key replaces this button, so the secret is copied in `afterChange`, which runs even
  // if the button has disappeared.
  const make = (): void =>
    afterChange(
      create.mutateAsync({
        name: `console ${new Date().toISOString().slice(0, 10)}`,
        ...(scopes === undefined ? {} : { scopes }),
      }),
      (created) => void copyText(created.secret),
    );
  if (!canCreate) return null;
  return (
    <>
      <Button leftSection={<IconKey size={16} />} loading={create.isPending} onClick={make}>
        {label}
      </Button>
      {create.isError ? <ErrorNotice title="Couldn’t create the key" error={create.error} /> : null}
    </>
  );
}
