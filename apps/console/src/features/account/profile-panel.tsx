import type { AccountResponse } from '@rowhouse/contracts';
import { Button, Switch, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useSendVerification, useUpdateAccount } from '../../data/account/mutations.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { Panel } from '../../ui/layout/panel.js';
import { Tag } from '../../ui/layout/tag.js';
import { showToast } from '../../ui/notices/toasts.js';
import classes from './account.module.css';
import { describeMail } from './describe-mail.js';

/** The form for the user's name, email address and notification settings. */
export function ProfilePanel({ account }: { account: AccountResponse }) {
  const update = useUpdateAccount();
  const [name, setName] = useState(account.name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    update.mutate({ name: name.trim() }, { onSuccess: () => showToast({ text: 'Name saved.' }) });
  };
  return (
    <Panel title="Profile">
      <form onSubmit={submit} className={classes.inline}>
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          autoComplete="name"
        />
        <Button
          type="submit"
          variant="default"
          disabled={name.trim() === account.name}
          loading={update.isPending}
        >
          Save name
        </Button>
      </form>
      <EmailLine account={account} />
      <Switch
        label="Email me about failed migrations"
        description="Covers migrations you deployed and projects you own or administer."
        checked={account.wants_notices}
        onChange={(event) => update.mutate({ wants_notices: event.currentTarget.checked })}
      />
      {update.isError ? <ErrorNotice title="Couldn’t save your profile" error={update.error} /> : null}
    </Panel>
  );
}

function EmailLine({ account }: { account: AccountResponse }) {
  const send = useSendVerification();
  return (
    <div className={classes.line}>
      <div>
        <span className={classes.label}>Email</span>
        <span className={classes.value}>
          {account.email}{' '}
          {account.email_verified ? <Tag tone="pine">Verified</Tag> : <Tag tone="ochre">Unverified</Tag>}
        </span>
      </div>
      {account.email_verified ? null : (
        <Button
          variant="default"
          size="xs"
          loading={send.isPending}
          onClick={() =>
            send.mutate(undefined, {
              onSuccess: (response) => showToast({ text: describeMail(response, account.email) }),
            })
          }
        >
          Resend email
        </Button>
      )}
      {send.isError ? <ErrorNotice title="Couldn’t send the email" error={send.error} /> : null}
    </div>
  );
}
