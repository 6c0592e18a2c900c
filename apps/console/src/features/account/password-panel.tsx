import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useChangePassword } from '../../data/account/security.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import { Panel } from '../../ui/layout/panel.js';
import { showToast } from '../../ui/notices/toasts.js';
import { NewPasswordField } from '../session/new-password-field.js';
import classes from './account.module.css';

export function PasswordPanel({ email }: { email: string }) {
  const change = useChangePassword();
  const [current, setCurrent] = useState('');
  const [requested, setWanted] = useState('');
  const [keepsTokens, setKeepsTokens] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate(
      { current_password: current, new_password: requested, keep_tokens: keepsTokens },
      {
        onSuccess: (ended) => {
          setCurrent('');
          setWanted('');
          showToast({
            text: `Password changed. Your other sessions have been signed out${ended.tokens_ended > 0 ? `, and ${formatCountOf(ended.tokens_ended, 'access token')}` : ''}.`,
          });
        },
      },
    );
  };
  return (
    <Panel
      title="Password"
      note="Changing your password signs out your other sessions and revokes your access tokens."
    >
      <form onSubmit={submit} className={classes.form}>
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <div className={classes.two}>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            required
          />
          <NewPasswordField
            label="New password"
            value={requested}
            email={email}
            onChange={setWanted}
            size="sm"
          />
        </div>
        <Checkbox
          label="Keep my access tokens"
          checked={keepsTokens}
          onChange={(event) => setKeepsTokens(event.currentTarget.checked)}
        />
        {change.isError ? <ErrorNotice title="Couldn’t change your password" error={change.error} /> : null}
        <div>
          <Button
            type="submit"
            variant="default"
            loading={change.isPending}
            disabled={current === '' || requested === ''}
          >
            Change password
          </Button>
        </div>
      </form>
    </Panel>
  );
}
