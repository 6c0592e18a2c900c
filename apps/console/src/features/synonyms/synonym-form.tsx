import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { TableView } from '../../data/schema/read-tables.js';
import { useCreateSynonym } from '../../data/synonyms/mutations.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import classes from './synonyms.module.css';

const WHOLE_TABLE = '';

/** A form that adds a synonym: a word, and the table or column that it refers to. */
export function SynonymForm({ projectId, tables }: { projectId: string; tables: readonly TableView[] }) {
  const create = useCreateSynonym(projectId);
  const [phrase, setPhrase] = useState('');
  const [chosenTable, setTable] = useState('');
  const [column, setColumn] = useState(WHOLE_TABLE);
  const table = tables.find((candidate) => candidate.name === chosenTable) ?? tables[0];
  const isColumn = table?.columns.some((entry) => entry.name === column) === true;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (table === undefined || phrase.trim() === '') return;
    create.mutate(
      { phrase: phrase.trim(), table: table.name, column: isColumn ? column : null },
      { onSuccess: () => setPhrase('') },
    );
  };
  return (
    <form onSubmit={submit} className={classes.form} aria-label="New synonym">
      <TextInput
        label="When people say"
        placeholder="clients"
        value={phrase}
        onChange={(event) => setPhrase(event.currentTarget.value)}
        maxLength={80}
        required
      />
      <NativeSelect
        label="They mean"
        data={tables.map((entry) => entry.name)}
        value={table?.name ?? ''}
        onChange={(event) => setTable(event.currentTarget.value)}
      />
      <NativeSelect
        label="Column"
        data={[
          { value: WHOLE_TABLE, label: 'All rows' },
          ...(table?.columns ?? []).map((entry) => ({ value: entry.name, label: entry.name })),
        ]}
        value={isColumn ? column : WHOLE_TABLE}
        onChange={(event) => setColumn(event.currentTarget.value)}
      />
      <Button type="submit" loading={create.isPending} disabled={table === undefined || phrase.trim() === ''}>
        Add synonym
      </Button>
      {create.isError ? (
        <div className={classes.wide}>
          <ErrorNotice title="Couldn’t add the synonym" error={create.error} />
        </div>
      ) : null}
      <p role="status" className="rh-spoken">
        {create.isSuccess ? `${create.data.phrase} added.` : ''}
      </p>
    </form>
  );
}
