import { Button, PasswordInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { EmailField } from './email-field.js';
import { SecondFactorForm } from './second-factor-form.js';
import { toApiError } from '../../data/client/api-error.js';
import { useLogin, usePasskeySignIn } from '../../data/session/sign-in.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import classes from './session-form.module.css';

/** Signs in with the password, and then with a code if the account has two-factor authentication. */
export function SignInForm({ onDone }: { onDone: () => void }) {
  const login = useLogin();
  const passkey = usePasskeySignIn();
  const error = login.error ?? passkey.error;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  if (login.isError && toApiError(login.error).code === 'auth.second_factor_required')
    return <SecondFactorForm onDone={onDone} onBack={login.reset} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    passkey.reset();
    login.mutate({ email: email.trim(), password }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <EmailField value={email} onChange={setEmail} />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        required
        size="md"
      />
      {error === null ? null : <ErrorNotice title="Couldn’t sign you in" error={error} />}
      <Button type="submit" size="md" loading={login.isPending}>
        Sign in
      </Button>
      {typeof PublicKeyCredential === 'undefined' ? null : (
        <Button
          variant="default"
          size="md"
          loading={passkey.isPending}
          onClick={() => {
            login.reset();
            passkey.mutate(undefined, { onSuccess: onDone });
          }}
        >
          Use a passkey
        </Button>
      )}
    </form>
  );
}
