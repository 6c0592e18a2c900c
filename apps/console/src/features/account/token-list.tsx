import type { TokenItem } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useCreateToken, useRevokeToken } from '../../data/account/security.js';
import { tokensQuery } from '../../data/account/queries.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { DataTable } from '../../ui/layout/data-table.js';
import { ErrorNotice, QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { Panel } from '../../ui/layout/panel.js';
import { SecretBox } from '../../ui/code/secret-box.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import { toExpiry } from '../keys/describe-key.js';
import classes from './account.module.css';
import { resetAndClose } from '../../ui/dialogs/reset-and-close.js';
import { ExpirySelect } from '../keys/expiry-select.js';
import { NameField } from '../../ui/controls/name-field.js';

/** Lists personal access tokens for the CLI, CI and agents that change schemas. */
export function TokenList() {
  const tokens = useQuery(tokensQuery);
  const [revoking, setRevoking] = useState<TokenItem | null>(null);
  return (
    <Panel title="Access tokens" note="Tokens have your permissions. Use them for the CLI, CI and agents.">
      <TokenForm />
      {tokens.isPending ? <SkeletonRows rows={2} /> : null}
      <QueryErrorNotice title="Couldn’t load your tokens" query={tokens} />
      {tokens.data?.length === 0 ? (
        <p className={classes.note}>
          No tokens yet. <code>rowhouse login</code> creates one for you.
        </p>
      ) : null}
      {tokens.data && tokens.data.length > 0 ? (
        <div className={classes.edge}>
          <DataTable
            label="Access tokens"
            rows={tokens.data}
            rowKey={(token) => token.id}
            columns={[
              { header: 'Name', isTitle: true, cell: (token) => token.name },
              { header: 'Token', cell: (token) => <span className="rh-mono">…{token.last4}</span> },
              { header: 'Expires', cell: (token) => <TimeText iso={token.expires_at} /> },
              { header: 'Last used', cell: (token) => <TimeText iso={token.last_used_at} absent="Never" /> },
              {
                header: 'Actions',
                quietHeader: true,
                align: 'end',
                cell: (token) => (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Revoke ${token.name}`}
                    onClick={() => setRevoking(token)}
                  >
                    Revoke
                  </Button>
                ),
              },
            ]}
          />
        </div>
      ) : null}
      <RevokeTokenDialog revoking={revoking} onClose={() => setRevoking(null)} />
    </Panel>
  );
}

function TokenForm() {
  const create = useCreateToken();
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const expiresAt = toExpiry(days, Date.now());
    create.mutate(
      { name: name.trim(), ...(expiresAt === undefined ? {} : { expires_at: expiresAt }) },
      { onSuccess: () => setName('') },
    );
  };
  return (
    <>
      <form onSubmit={submit} className={classes.inline}>
        <NameField
          label="New token name"
          placeholder="deploys from CI"
          value={name}
          onChange={setName}
          isFocused={false}
        />
        <ExpirySelect days={days} onChange={setDays} />
        <Button type="submit" variant="default" loading={create.isPending} disabled={name.trim() === ''}>
          Create token
        </Button>
      </form>
      {create.isError ? <ErrorNotice title="Couldn’t create the token" error={create.error} /> : null}
      {create.data ? (
        <SecretBox
          secret={create.data.token}
          label="access token"
          note={`${create.data.name}: copy it now. You won’t be able to see it again.`}
        />
      ) : null}
    </>
  );
}

function RevokeTokenDialog({ revoking, onClose }: { revoking: TokenItem | null; onClose: () => void }) {
  const revoke = useRevokeToken();
  const close = resetAndClose(revoke, onClose);
  return (
    <ConfirmDialog
      opened={revoking !== null}
      title={`Revoke ${revoking?.name ?? 'token'}?`}
      actionLabel="Revoke token"
      isPending={revoke.isPending}
      error={revoke.error}
      errorTitle="Couldn’t revoke the token"
      onClose={close}
      onConfirm={() => {
        if (revoking) revoke.mutate(revoking.id, { onSuccess: close });
      }}
    >
      Apps using this token are signed out immediately. This can’t be undone.
    </ConfirmDialog>
  );
}
