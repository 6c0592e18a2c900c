import type { DatabaseResponse, KeyResponse, MemberResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRevokeKey } from '../../data/keys/mutations.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { DataTable } from '../../ui/layout/data-table.js';
import { Tag } from '../../ui/layout/tag.js';
import { DateText } from '../../ui/formatting/date-text.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import {
  describeBounds,
  describeDisuse,
  describeKeyName,
  describeTables,
  listScopes,
} from './describe-key.js';
import classes from './keys.module.css';
import { RotateKeyDialog } from './rotate-key-dialog.js';
import { resetAndClose } from '../../ui/dialogs/reset-and-close.js';

interface KeyListProps {
  readonly database: DatabaseResponse;
  readonly keys: readonly KeyResponse[];
  readonly members: readonly MemberResponse[];
  /** Whether the user may change the keys. */
  readonly mayChange: boolean;
}

/** Lists the API keys of a database in the server's order, which is newest first. */
export function KeyList({ database, keys, members, mayChange }: KeyListProps) {
  const location = { projectId: database.project_id, environment: database.environment };
  const [revoking, setRevoking] = useState<KeyResponse | null>(null);
  const [rotating, setRotating] = useState<KeyResponse | null>(null);
  return (
    <>
      <DataTable
        label="API keys"
        rows={keys}
        rowKey={(key) => key.id}
        columns={[
          {
            header: 'Name',
            isTitle: true,
            cell: (key) => (
              <span className={classes.tags}>
                {key.name}
                {key.replaced_by === null ? null : <Tag tone="ochre">replaced, still works</Tag>}
              </span>
            ),
          },
          {
            header: 'Key',
            cell: (key) => (
              <span className={`rh-mono ${classes.secret}`}>
                {describeKeyName(database.environment, key.last4)}
              </span>
            ),
          },
          {
            header: 'Scopes',
            cell: (key) => (
              <span>
                <span className={classes.tags}>
                  {listScopes(key).map((scope) => (
                    <Tag key={scope} mono>
                      {scope}
                    </Tag>
                  ))}
                </span>
                {key.tables === null ? null : <span className={classes.tables}>{describeTables(key)}</span>}
                {describeBounds(key) === '' ? null : (
                  <span className={classes.tables}>{describeBounds(key)}</span>
                )}
              </span>
            ),
          },
          {
            header: 'Created by',
            cell: (key) => (
              <span className={classes.maker}>
                {nameMaker(key, members)}
                <span className="rh-dim">
                  <TimeText iso={key.created_at} />
                </span>
              </span>
            ),
          },
          { header: 'Expires', cell: (key) => <DateText iso={key.expires_at} absent="Never" /> },
          {
            header: 'Last used',
            cell: (key) => (
              <span>
                {key.last_used_at === null || !mayChange ? (
                  <TimeText iso={key.last_used_at} absent="Never" />
                ) : (
                  <Link
                    to="/projects/$projectId/$environment/logs"
                    params={location}
                    search={{ key: key.id }}
                    title={`Requests made with ${key.name}`}
                  >
                    <TimeText iso={key.last_used_at} absent="Never" isInControl />
                  </Link>
                )}
                <Disuse hint={describeDisuse(key, Date.now())} />
              </span>
            ),
          },
          {
            header: 'Actions',
            quietHeader: true,
            align: 'end',
            cell: (key) =>
              !mayChange ? null : (
                <span className={classes.actions}>
                  {key.replaced_by === null ? (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Rotate ${key.name}`}
                      onClick={() => setRotating(key)}
                    >
                      Rotate
                    </Button>
                  ) : null}
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={
                      key.replaced_by === null ? `Revoke ${key.name}` : `Revoke the replaced ${key.name}`
                    }
                    onClick={() => setRevoking(key)}
                  >
                    Revoke
                  </Button>
                </span>
              ),
          },
        ]}
      />
      <RotateKeyDialog database={database} rotating={rotating} onClose={() => setRotating(null)} />
      <RevokeKeyDialog database={database} revoking={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}

function Disuse({ hint }: { hint: string | null }) {
  return hint === null ? null : <span className={classes.tables}>{hint}</span>;
}

/** Returns the name of the member who created the key, or a dash if the member has left. */
function nameMaker(key: KeyResponse, members: readonly MemberResponse[]): string {
  const member = members.find((member) => member.account_id === key.created_by);
  return member === undefined ? '–' : member.name || member.email;
}

function RevokeKeyDialog({
  database,
  revoking,
  onClose,
}: {
  database: DatabaseResponse;
  revoking: KeyResponse | null;
  onClose: () => void;
}) {
  const revoke = useRevokeKey(database.id);
  const close = resetAndClose(revoke, onClose);
  return (
    <ConfirmDialog
      opened={revoking !== null}
      title={`Revoke ${revoking?.name ?? 'key'}?`}
      actionLabel="Revoke key"
      isPending={revoke.isPending}
      error={revoke.error}
      errorTitle="Couldn’t revoke the key"
      onClose={close}
      onConfirm={() => {
        if (revoking) revoke.mutate(revoking, { onSuccess: close });
      }}
    >
      Apps using{' '}
      <span className="rh-mono">{describeKeyName(database.environment, revoking?.last4 ?? '')}</span> will get
      401 errors immediately. This can’t be undone.
    </ConfirmDialog>
  );
}
