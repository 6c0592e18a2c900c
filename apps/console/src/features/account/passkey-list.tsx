import type { PasskeyItem } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { passkeysQuery, useRemovePasskey, useRenamePasskey } from '../../data/account/passkeys.js';
import { ConfirmDialog, lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
import { RenameDialog } from '../../ui/dialogs/rename-dialog.js';
import { resetAndClose } from '../../ui/dialogs/reset-and-close.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import { DataTable } from '../../ui/layout/data-table.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import classes from './account.module.css';

const AddPasskeyDialog = lazyDialog(() =>
  import('./add-passkey-dialog.js').then((module) => module.AddPasskeyDialog),
);

/** Lists the passkeys with which the user signs in without a password. */
export function PasskeyList({ email, hasTwoFactor }: { email: string; hasTwoFactor: boolean }) {
  const passkeys = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState<PasskeyItem | null>(null);
  const [removing, setRemoving] = useState<PasskeyItem | null>(null);
  return (
    <Panel
      title="Passkeys"
      note="Sign in with your fingerprint, face or device PIN. No password or code is needed."
      actions={
        <Button size="xs" variant="default" onClick={() => setAdding(true)}>
          Add passkey
        </Button>
      }
    >
      {passkeys.isPending ? <SkeletonRows rows={1} /> : null}
      <QueryErrorNotice title="Couldn’t load your passkeys" query={passkeys} />
      {passkeys.data?.length === 0 ? <p className={classes.note}>No passkeys yet.</p> : null}
      {passkeys.data && passkeys.data.length > 0 ? (
        <div className={classes.edge}>
          <DataTable
            label="Passkeys"
            rows={passkeys.data}
            rowKey={(passkey) => passkey.id}
            columns={[
              { header: 'Name', isTitle: true, cell: (passkey) => passkey.name },
              { header: 'Added', cell: (passkey) => <TimeText iso={passkey.created_at} /> },
              {
                header: 'Last used',
                cell: (passkey) => <TimeText iso={passkey.last_used_at} absent="Never" />,
              },
              {
                header: 'Actions',
                quietHeader: true,
                align: 'end',
                cell: (passkey) => (
                  <span className={classes.acts}>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Rename ${passkey.name}`}
                      onClick={() => setRenaming(passkey)}
                    >
                      Rename
                    </Button>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Remove ${passkey.name}`}
                      onClick={() => setRemoving(passkey)}
                    >
                      Remove
                    </Button>
                  </span>
                ),
              },
            ]}
          />
        </div>
      ) : null}
      <AddPasskeyDialog
        opened={isAdding}
        email={email}
        hasTwoFactor={hasTwoFactor}
        onClose={() => setAdding(false)}
      />
      <RenamePasskey passkey={renaming} onClose={() => setRenaming(null)} />
      <RemovePasskey passkey={removing} onClose={() => setRemoving(null)} />
    </Panel>
  );
}

interface PasskeyDialogProps {
  readonly passkey: PasskeyItem | null;
  readonly onClose: () => void;
}

function RenamePasskey({ passkey, onClose }: PasskeyDialogProps) {
  const rename = useRenamePasskey();
  const close = resetAndClose(rename, onClose);
  return (
    <RenameDialog
      subject="passkey"
      name={passkey?.name ?? null}
      isPending={rename.isPending}
      error={rename.error}
      onRename={(name) => {
        if (passkey) rename.mutate({ id: passkey.id, name }, { onSuccess: close });
      }}
      onClose={close}
    />
  );
}

function RemovePasskey({ passkey, onClose }: PasskeyDialogProps) {
  const remove = useRemovePasskey();
  const close = resetAndClose(remove, onClose);
  return (
    <ConfirmDialog
      opened={passkey !== null}
      title={`Remove ${passkey?.name ?? 'passkey'}?`}
      actionLabel="Remove passkey"
      isPending={remove.isPending}
      error={remove.error}
      errorTitle="Couldn’t remove the passkey"
      onClose={close}
      onConfirm={() => {
        if (passkey) remove.mutate(passkey.id, { onSuccess: close });
      }}
    >
      It can’t sign you in any more. Also delete it in your device’s settings.
    </ConfirmDialog>
  );
}
