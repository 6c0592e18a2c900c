import type { SignupResponse } from '@rowhouse/contracts';
import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { EmailField } from './email-field.js';
import { useSignup } from '../../data/session/mutations.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { BeginningField } from '../projects/beginning-field.js';
import { toStarter, type StarterInput } from '../projects/beginnings.js';
import { useBeginSchema } from '../projects/use-begin-schema.js';
import type { SchemaView } from '../schema/schema-search.js';
import { NewPasswordField } from './new-password-field.js';
import classes from './session-form.module.css';

interface SignUpFormProps {
  readonly invitation?: string | undefined;
  /**
   * Called when the account is created. `view` is the view of the schema page on which the first tables
   * remain to be created, or null if nothing remains to be done.
   */
  readonly onDone: (response: SignupResponse, view: SchemaView | null) => void;
}

/**
 * Creates an account and its first project in one form. Only the email address and the password are required.
 */
export function SignUpForm({ invitation, onDone }: SignUpFormProps) {
  const signup = useSignup();
  const begin = useBeginSchema();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [project, setProject] = useState('');
  const [input, setInput] = useState<StarterInput>({ kind: 'blog', text: '' });
  const [isBeginning, setBeginning] = useState(false);
  const isBusy = signup.isPending || isBeginning;
  const finish = (response: SignupResponse): void => {
    setBeginning(true);
    void begin(
      { ...response.project, databases: response.databases, migrations: response.migrations },
      input,
    ).then((view) => onDone(response, view));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const name = project.trim();
    signup.mutate(
      {
        email: email.trim(),
        password,
        starter: toStarter(input.kind),
        ...(name === '' ? {} : { project: name }),
        ...(invitation === undefined ? {} : { invitation }),
      },
      { onSuccess: finish },
    );
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <EmailField value={email} onChange={setEmail} />
      <NewPasswordField value={password} email={email} onChange={setPassword} />
      <TextInput
        label="Project name"
        description="Optional"
        value={project}
        onChange={(event) => setProject(event.currentTarget.value)}
        maxLength={100}
        size="md"
        autoComplete="off"
      />
      <BeginningField input={input} onChange={setInput} />
      {signup.isError ? <ErrorNotice title="We couldn’t create your account" error={signup.error} /> : null}
      <Button type="submit" size="md" loading={isBusy}>
        Create account
      </Button>
      {isBusy ? (
        <p className={classes.wait} role="status">
          {input.kind === 'blog' || input.kind === 'shop'
            ? 'Building your databases and deploying the starter…'
            : 'Building your databases…'}
        </p>
      ) : null}
    </form>
  );
}
