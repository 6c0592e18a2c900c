import type { ConnectionAnswer, DatabaseAnswer } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useRevokeConnection } from '../../data/connections/mutations.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { DataTable } from '../../ui/data-table.js';
import { Tag } from '../../ui/tag.js';
import { TimeText } from '../../ui/time-text.js';

interface ConnectionListProps {
  readonly database: DatabaseAnswer;
  readonly connections: readonly ConnectionAnswer[];
  readonly onRevoked: (connectionId: string) => void;
}

export function ConnectionList({ database, connections, onRevoked }: ConnectionListProps) {
  const revoke = useRevokeConnection(database.id);
  const [revoking, setRevoking] = useState<ConnectionAnswer | null>(null);
  const close = (): void => {
    revoke.reset();
    setRevoking(null);
  };
  const confirm = (connection: ConnectionAnswer): void =>
    revoke.mutate(connection.id, {
      onSuccess: () => {
        onRevoked(connection.id);
        close();
      },
    });
  return (
    <>
      <DataTable
        label="Connections"
        rows={connections}
        rowKey={(connection) => connection.id}
        columns={[
          { header: 'Name', isTitle: true, cell: (connection) => connection.name },
          { header: 'Role', cell: (connection) => <Tag mono tone={connection.role === 'owner' ? 'ochre' : 'plain'}>{connection.role}</Tag> },
          { header: 'User', cell: (connection) => <span className="rh-mono">{connection.user}</span> },
          { header: 'Made', cell: (connection) => <TimeText iso={connection.created_at} /> },
          { header: 'Expires', cell: (connection) => <TimeText iso={connection.expires_at} /> },
          {
            header: 'Actions',
            quietHeader: true,
            align: 'end',
            cell: (connection) => (
              <Button size="compact-sm" variant="default" aria-label={`Revoke ${connection.name}`} onClick={() => setRevoking(connection)}>Revoke</Button>
            ),
          },
        ]}
      />
      <ConfirmDialog
        opened={revoking !== null}
        title={`Revoke ${revoking?.name ?? 'connection'}?`}
        actionLabel="Revoke connection"
        isPending={revoke.isPending}
        error={revoke.error}
        errorTitle="The connection could not be revoked"
        onClose={close}
        onConfirm={() => {
          if (revoking) confirm(revoking);
        }}
      >
        Its open sessions are ended and it cannot sign in again. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
