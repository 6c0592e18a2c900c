import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { EmailField } from '../../features/session/email-field.js';
import { useForgotPassword } from '../../data/account/mutations.js';
import { describeMail } from '../../features/account/describe-mail.js';
import { AuthFrame } from '../../features/session/auth-frame.js';
import classes from '../../features/session/session-form.module.css';
import { ErrorNotice } from '../../ui/notices/error-notice.js';

/** The page that sends a link for setting a new password. It does not reveal whether the account exists. */
export function ForgotPasswordScreen() {
  const forgot = useForgotPassword();
  const [email, setEmail] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    forgot.mutate(email.trim());
  };
  return (
    <AuthFrame title="Forgot your password?" lead="We’ll email you a link to set a new password.">
      {forgot.data ? (
        <p role="status">
          If {email.trim()} has an account, a reset link has been created.{' '}
          {describeMail(forgot.data, email.trim())} The link expires in one hour and can be used once.
        </p>
      ) : (
        <form onSubmit={submit} className={classes.form}>
          <EmailField value={email} onChange={setEmail} />
          {forgot.isError ? <ErrorNotice title="Couldn’t send the email" error={forgot.error} /> : null}
          <Button type="submit" size="md" loading={forgot.isPending}>
            Send link
          </Button>
        </form>
      )}
      <p className={classes.other}>
        Remember your password? <Link to="/login">Sign in</Link>
      </p>
    </AuthFrame>
  );
}
