import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useSecondFactor } from '../../data/session/sign-in.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import classes from './session-form.module.css';

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function SecondFactorForm({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const finish = useSecondFactor();
  const [isRecovery, setRecovery] = useState(false);
  const [code, setCode] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    finish.mutate(code.trim(), { onSuccess: onDone });
  };
  const change = (): void => {
    finish.reset();
    setCode('');
    setRecovery(!isRecovery);
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <TextInput
        key={String(isRecovery)}
        label={isRecovery ? 'Recovery code' : 'Code'}
        description={
          isRecovery ? 'Each of your recovery codes works once.' : 'Six digits from your authenticator app.'
        }
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        minLength={6}
        maxLength={40}
        spellCheck={false}
        required
        size="md"
        autoFocus
      />
      {finish.isError ? <ErrorNotice title="Couldn’t sign you in" error={finish.error} /> : null}
      <Button type="submit" size="md" loading={finish.isPending}>
        Sign in
      </Button>
      <div className={classes.choices}>
        <Button variant="subtle" size="compact-sm" onClick={change}>
          {isRecovery ? 'Use an authenticator app' : 'Use a recovery code'}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={onBack}>
          Start again
        </Button>
      </div>
    </form>
  );
}
