import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useForgotPassword } from '../../data/account/mutations.js';
import { describeMail } from '../../features/account/describe-mail.js';
import { AuthFrame } from '../../features/session/auth-frame.js';
import classes from '../../features/session/session-form.module.css';
import { ErrorNotice } from '../../ui/notices/error-notice.js';

/** The response does not reveal whether the account exists. */
export function ForgotPasswordScreen() {
  const forgot = useForgotPassword();
  const [email, setEmail] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    forgot.mutate(email.trim());
  };
  return (
    <AuthFrame title="Forgot your password?" lead="We send a link to your address that sets a new one.">
      {forgot.data ? (
        <p role="status">
          If there is an account for {email.trim()}: {describeMail(forgot.data, email.trim())} The link holds
          for an hour and works once.
        </p>
      ) : (
        <form onSubmit={submit} className={classes.form}>
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            required
            size="md"
            autoFocus
          />
          {forgot.isError ? <ErrorNotice title="No mail was sent" error={forgot.error} /> : null}
          <Button type="submit" size="md" loading={forgot.isPending}>
            Send the link
          </Button>
        </form>
      )}
      <p className={classes.other}>
        Remembered it? <Link to="/login">Sign in</Link>
      </p>
    </AuthFrame>
  );
}
