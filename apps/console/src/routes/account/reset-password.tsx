import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useResetPassword } from '../../data/account/mutations.js';
import { AuthFrame } from '../../features/session/auth-frame.js';
import { NewPasswordField } from '../../features/session/new-password-field.js';
import classes from '../../features/session/session-form.module.css';
import { ErrorNotice } from '../../ui/notices/error-notice.js';

const route = getRouteApi('/reset/$token');

/** The page that the link in an email for a new password opens. */
export function ResetPasswordScreen() {
  const { token } = route.useParams();
  const reset = useResetPassword();
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    reset.mutate({ token, password });
  };
  return (
    <AuthFrame title="Set a new password" lead="This signs you out everywhere else.">
      {reset.isSuccess ? (
        <p role="status">
          Your password has been changed. <Link to="/login">Sign in</Link>
        </p>
      ) : (
        <form onSubmit={submit} className={classes.form}>
          <NewPasswordField
            label="New password"
            value={password}
            email={null}
            onChange={setPassword}
            hasFocus
          />
          {reset.isError ? (
            <ErrorNotice title="Couldn’t change your password" error={reset.error}>
              <Link to="/forgot">Request a new link</Link>
            </ErrorNotice>
          ) : null}
          <Button type="submit" size="md" loading={reset.isPending}>
            Set password
          </Button>
        </form>
      )}
    </AuthFrame>
  );
}
