import type { CreatedConnectionResponse, DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useCreateConnection } from '../../../data/connections/mutations.js';
import { ChoiceCards, type Choice } from '../../../ui/controls/choice-cards.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { toExpiry } from '../../keys/describe-key.js';
import classes from '../connect.module.css';
import { ExpirySelect } from '../../keys/expiry-select.js';
import { NameField } from '../../../ui/controls/name-field.js';

type Role = CreatedConnectionResponse['role'];

const ROLE_CHOICES: readonly Choice<Role>[] = [
  { value: 'read-only', title: 'read-only', text: 'SELECT on every table' },
  { value: 'read-write', title: 'read-write', text: 'Also INSERT, UPDATE, DELETE' },
  {
    value: 'owner',
    title: 'owner',
    text: 'Also changes tables and views. Deploy procedures and functions instead.',
  },
];

interface ConnectionFormProps {
  readonly database: DatabaseResponse;
  readonly onCreated: (created: CreatedConnectionResponse) => void;
}

export function ConnectionForm({ database, onCreated }: ConnectionFormProps) {
  const create = useCreateConnection(database.id);
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('read-write');
  const [days, setDays] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const expiresAt = toExpiry(days, Date.now());
    create.mutate(
      { name: name.trim(), role, ...(expiresAt === undefined ? {} : { expires_at: expiresAt }) },
      {
        onSuccess: (created) => {
          setName('');
          onCreated(created);
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <ChoiceCards legend="Role" choices={ROLE_CHOICES} value={role} onChange={setRole} />
      <div className={classes.row}>
        <NameField placeholder="my laptop" value={name} onChange={setName} isFocused={false} />
        <ExpirySelect days={days} onChange={setDays} />
      </div>
      {create.isError ? <ErrorNotice title="Couldn’t create the connection" error={create.error} /> : null}
      <div>
        <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
          Create connection string
        </Button>
      </div>
    </form>
  );
}
