import type { SignupAnswer } from '@rowhouse/contracts';
import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useSignup } from '../../data/session/mutations.js';
import { ChoiceCards } from '../../ui/choice-cards.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { STARTER_CHOICES, type Starter } from '../projects/starters.js';
import { NewPasswordField } from './new-password-field.js';
import classes from './session-form.module.css';

/** Account and first project in one form: only e-mail and password must be typed. */
export function SignUpForm({ invitation, onDone }: { invitation?: string | undefined; onDone: (answer: SignupAnswer) => void }) {
  const signup = useSignup();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [project, setProject] = useState('');
  const [starter, setStarter] = useState<Starter>('blog');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const name = project.trim();
    signup.mutate({ email: email.trim(), password, starter, ...(name === '' ? {} : { project: name }), ...(invitation === undefined ? {} : { invitation }) }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <TextInput label="E-mail" type="email" autoComplete="username" value={email} onChange={(event) => setEmail(event.currentTarget.value)} required size="md" autoFocus />
      <NewPasswordField value={password} email={email} onChange={setPassword} />
      <TextInput label="Project name" description="Optional" value={project} onChange={(event) => setProject(event.currentTarget.value)} maxLength={100} size="md" autoComplete="off" />
      <ChoiceCards legend="Start with" choices={STARTER_CHOICES} value={starter} onChange={setStarter} />
      {signup.isError ? <ErrorNotice title="The account could not be made" error={signup.error} /> : null}
      <Button type="submit" size="md" loading={signup.isPending}>Create account</Button>
      {signup.isPending ? <p className={classes.wait} role="status">Building your databases and deploying the starter…</p> : null}
    </form>
  );
}
