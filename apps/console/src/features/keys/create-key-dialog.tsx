import type { CreateKeyRequest, CreatedKeyResponse, DatabaseResponse, Scope } from '@rowhouse/contracts';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { toTablePath } from '../../data/gateway/call-gateway.js';
import { useCreateKey } from '../../data/keys/mutations.js';
import { workingSchemaQuery } from '../../data/schema/queries.js';
import { DialogActions } from '../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../ui/dialogs/dialog-frame.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { SecretBox } from '../../ui/code/secret-box.js';
import { ChoiceCards } from '../../ui/controls/choice-cards.js';
import { Segments } from '../../ui/controls/segments.js';
import { CallSnippets } from '../snippets/call-snippets.js';
import { pickSampleTable } from '../snippets/pick-sample-table.js';
import { KEY_PRESETS, SCOPE_CHOICES, toBounds, toExpiry } from './describe-key.js';
import classes from './keys.module.css';
import { TableRightsField, type VerbRights } from './table-rights-field.js';
import { resetAndClose } from '../../ui/dialogs/reset-and-close.js';
import { ExpirySelect } from './expiry-select.js';
import { NameField } from '../../ui/controls/name-field.js';

interface CreateKeyDialogProps {
  readonly database: DatabaseResponse;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** A dialog that creates an API key and then shows the key's secret, which cannot be shown again. */
export function CreateKeyDialog({ database, opened, onClose }: CreateKeyDialogProps) {
  const create = useCreateKey(database.id);
  const created = create.data;
  const close = resetAndClose(create, onClose);
  return (
    <DialogFrame
      opened={opened}
      onClose={close}
      size="lg"
      title={created ? 'Key created' : `New key for ${database.environment}`}
      closesLightly={!created}
    >
      {created ? (
        <CreatedKey database={database} created={created} onDone={close} />
      ) : (
        <KeyForm
          database={database}
          isPending={create.isPending}
          error={create.error}
          onSubmit={(request) => create.mutate(request)}
          onCancel={close}
        />
      )}
    </DialogFrame>
  );
}

function CreatedKey({
  database,
  created,
  onDone,
}: {
  database: DatabaseResponse;
  created: CreatedKeyResponse;
  onDone: () => void;
}) {
  const schema = useQuery(workingSchemaQuery(database.project_id));
  const tables = schema.data?.tables ?? [];
  const reachable =
    created.tables === null ? tables : tables.filter((table) => created.tables?.[table.name] !== undefined);
  const table = pickSampleTable(reachable);
  return (
    <div className={classes.form}>
      <SecretBox
        secret={created.secret}
        label="API key"
        note="Copy your key now. You won’t be able to see it again."
      />
      <CallSnippets
        baseUrl={database.base_url}
        request={{ method: 'GET', path: table ? `${toTablePath(table)}?limit=3` : '/health' }}
        secret={created.secret}
      />
      <DialogActions>
        <Button onClick={onDone}>Done</Button>
      </DialogActions>
    </div>
  );
}

interface KeyFormProps {
  readonly database: DatabaseResponse;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onSubmit: (request: CreateKeyRequest) => void;
  readonly onCancel: () => void;
}

function KeyForm({ database, isPending, error, onSubmit, onCancel }: KeyFormProps) {
  const schema = useQuery(workingSchemaQuery(database.project_id));
  const [name, setName] = useState('');
  const [preset, setPreset] = useState(KEY_PRESETS[0]?.id ?? '');
  const [scopes, setScopes] = useState<string[]>([...(KEY_PRESETS[0]?.scopes ?? [])]);
  const [reach, setReach] = useState<'all' | 'some'>('all');
  const [rights, setRights] = useState<VerbRights>({});
  const [days, setDays] = useState(KEY_PRESETS[0]?.days ?? '');
  const [origins, setOrigins] = useState('');
  const [rate, setRate] = useState('');
  const [rowsExamined, setRowsExamined] = useState('');
  const isReady =
    name.trim() !== '' && scopes.length > 0 && (reach === 'all' || Object.keys(rights).length > 0);
  const choosePreset = (id: string): void => {
    const chosen = KEY_PRESETS.find((candidate) => candidate.id === id);
    setPreset(id);
    setScopes([...(chosen?.scopes ?? [])]);
    setDays(chosen?.days ?? '');
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    const expiresAt = toExpiry(days, Date.now());
    onSubmit({
      name: name.trim(),
      scopes: scopes as Scope[],
      ...(reach === 'some' ? { tables: rights } : {}),
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
      ...toBounds(origins, rate, rowsExamined),
    });
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <NameField placeholder="mobile app" value={name} onChange={setName} />
      <ChoiceCards
        legend="Use"
        choices={KEY_PRESETS.map(({ id, title, text }) => ({ value: id, title, text }))}
        value={preset}
        onChange={choosePreset}
        columns={2}
      />
      <Checkbox.Group
        label="Scopes"
        value={scopes}
        onChange={(next) => {
          setPreset('');
          setScopes(next);
        }}
      >
        <div className={classes.scopes}>
          {SCOPE_CHOICES.map((choice) => (
            <Checkbox
              key={choice.scope}
              value={choice.scope}
              label={choice.title}
              description={choice.text}
              size="xs"
            />
          ))}
        </div>
      </Checkbox.Group>
      <div className={classes.reach}>
        <span className={classes.label} id="key-reach">
          Tables
        </span>
        <Segments
          aria-labelledby="key-reach"
          data={[
            { value: 'all', label: 'All tables' },
            { value: 'some', label: 'Selected tables' },
          ]}
          value={reach}
          onChange={(value) => setReach(value as 'all' | 'some')}
        />
      </div>
      {reach === 'some' ? (
        <TableRightsField tables={schema.data?.tables ?? []} rights={rights} onChange={setRights} />
      ) : null}
      <ExpirySelect days={days} onChange={setDays} />
      {preset === 'browser' ? <OriginsInput value={origins} onChange={setOrigins} /> : null}
      <details className={classes.more}>
        <summary>{preset === 'browser' ? 'Limits' : 'Origins and limits'}</summary>
        {preset === 'browser' ? null : <OriginsInput value={origins} onChange={setOrigins} />}
        <TextInput
          label="Requests per second"
          description="Applies to this key only. Leave empty to use the database’s limit."
          type="number"
          min={1}
          max={100_000}
          value={rate}
          onChange={(event) => setRate(event.currentTarget.value)}
        />
        <TextInput
          label="Query cost limit (rows)"
          description="Applies to this key only. Leave empty to use the database’s limit."
          type="number"
          min={1_000}
          max={1_000_000_000_000}
          step={1}
          value={rowsExamined}
          onChange={(event) => setRowsExamined(event.currentTarget.value)}
        />
      </details>
      {error === null ? null : <ErrorNotice title="Couldn’t create the key" error={error} />}
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending} disabled={!isReady}>
          Create key
        </Button>
      </DialogActions>
    </form>
  );
}

function OriginsInput({ value, onChange }: { value: string; onChange: (origins: string) => void }) {
  return (
    <TextInput
      label="Allowed origins"
      description="For browser keys. Separate origins with spaces. Leave empty to allow any origin."
      placeholder="https://app.example.com"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
