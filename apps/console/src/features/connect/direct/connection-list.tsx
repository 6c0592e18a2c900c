import type { ConnectionResponse, CreatedConnectionResponse, DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useRevokeConnection } from '../../../data/connections/mutations.js';
import { ConfirmDialog } from '../../../ui/dialogs/lazy-dialog.js';
import { DataTable } from '../../../ui/layout/data-table.js';
import { Tag } from '../../../ui/layout/tag.js';
import { TimeText } from '../../../ui/formatting/time-text.js';
import classes from '../connect.module.css';
import { RotateConnectionDialog } from './rotate-connection-dialog.js';
import { TestConnectionDialog } from './test-connection-dialog.js';

interface ConnectionListProps {
  readonly database: DatabaseResponse;
  readonly connections: readonly ConnectionResponse[];
  /** Whether the user may change the connections. */
  readonly mayChange: boolean;
  readonly onRotated: (created: CreatedConnectionResponse) => void;
  readonly onRevoked: (connectionId: string) => void;
}

export function ConnectionList({
  database,
  connections,
  mayChange,
  onRotated,
  onRevoked,
}: ConnectionListProps) {
  const revoke = useRevokeConnection(database.id);
  const [revoking, setRevoking] = useState<ConnectionResponse | null>(null);
  const [rotating, setRotating] = useState<ConnectionResponse | null>(null);
  const [testing, setTesting] = useState<ConnectionResponse | null>(null);
  const close = (): void => {
    revoke.reset();
    setRevoking(null);
  };
  const confirm = (connection: ConnectionResponse): void =>
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
          {
            header: 'Role',
            cell: (connection) => (
              <Tag mono tone={connection.role === 'owner' ? 'ochre' : 'plain'}>
                {connection.role}
              </Tag>
            ),
          },
          { header: 'User', cell: (connection) => <span className="rh-mono">{connection.user}</span> },
          { header: 'Created', cell: (connection) => <TimeText iso={connection.created_at} /> },
          { header: 'Expires', cell: (connection) => <TimeText iso={connection.expires_at} /> },
          {
            header: 'Previous password',
            cell: (connection) =>
              connection.previous_until === null ? (
                '–'
              ) : (
                <>
                  expires <TimeText iso={connection.previous_until} />
                </>
              ),
          },
          {
            header: 'Actions',
            quietHeader: true,
            align: 'end',
            cell: (connection) =>
              !mayChange ? null : (
                <span className={classes.actions}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Test ${connection.name}`}
                    onClick={() => setTesting(connection)}
                  >
                    Test
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Rotate ${connection.name}`}
                    onClick={() => setRotating(connection)}
                  >
                    Rotate
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Revoke ${connection.name}`}
                    onClick={() => setRevoking(connection)}
                  >
                    Revoke
                  </Button>
                </span>
              ),
          },
        ]}
      />
      <TestConnectionDialog connection={testing} onClose={() => setTesting(null)} />
      <RotateConnectionDialog
        database={database}
        rotating={rotating}
        onRotated={onRotated}
        onClose={() => setRotating(null)}
      />
      <ConfirmDialog
        opened={revoking !== null}
        title={`Revoke ${revoking?.name ?? 'connection'}?`}
        actionLabel="Revoke connection"
        isPending={revoke.isPending}
        error={revoke.error}
        errorTitle="Couldn’t revoke the connection"
        onClose={close}
        onConfirm={() => {
          if (revoking) confirm(revoking);
        }}
      >
        Its open sessions end and it can’t sign in again. This can’t be undone.
      </ConfirmDialog>
    </>
  );
}
