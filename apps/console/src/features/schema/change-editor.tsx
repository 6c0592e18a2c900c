import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useSaveSchema } from '../../data/schema/mutations.js';
import type { WorkingSchema } from '../../data/schema/queries.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { Panel } from '../../ui/panel.js';
import { LazySqlEditor } from './lazy-sql-editor.js';
import classes from './schema.module.css';
import { useKeptDraft } from './use-kept-draft.js';

type Mode = 'apply' | 'replace';

/** What was saved last, so that it can be taken back into the editor. */
interface SavedChange {
  readonly mode: Mode;
  readonly text: string;
  readonly sqlBefore: string;
  readonly revision: number;
}

interface ChangeEditorProps {
  readonly projectId: string;
  readonly schema: WorkingSchema;
  /** The draft was saved: show the plans. */
  readonly onReview: () => void;
}

/** Changes the draft, by statements on top of it or as a whole text. Nothing is deployed from here. */
export function ChangeEditor({ projectId, schema, onReview }: ChangeEditorProps) {
  const save = useSaveSchema(projectId);
  const [mode, setMode] = useState<Mode>('apply');
  const [statements, setStatements] = useKeptDraft(`${projectId}-statements`);
  const [whole, setWhole] = useState<string | null>(null);
  const [saved, setSaved] = useState<SavedChange | null>(null);
  const text = mode === 'apply' ? statements : (whole ?? schema.sql);
  const isChanged = mode === 'apply' ? statements.trim() !== '' : whole !== null && whole !== schema.sql;

  const review = (): void => {
    if (save.isPending) return;
    if (!isChanged) return onReview();
    save.mutate(
      { sql: text, mode, base_revision: schema.revision },
      {
        onSuccess: (next) => {
          setSaved({ mode, text, sqlBefore: schema.sql, revision: next.revision });
          setStatements(mode === 'apply' ? '' : statements);
          setWhole(null);
          onReview();
        },
      },
    );
  };
  const takeBack = (change: SavedChange): void =>
    save.mutate(
      { sql: change.sqlBefore, mode: 'replace', base_revision: schema.revision },
      {
        onSuccess: () => {
          setSaved(null);
          setMode(change.mode);
          if (change.mode === 'apply') setStatements(change.text);
          else setWhole(change.text);
        },
      },
    );

  return (
    <Panel
      title="Change the schema"
      note={mode === 'apply' ? 'Statements run on top of the draft.' : 'The text is the whole draft: what is missing here is dropped.'}
      actions={<SegmentedControl size="xs" aria-label="Way of editing" data={[{ value: 'apply', label: 'Statements' }, { value: 'replace', label: 'Whole schema' }]} value={mode} onChange={(value) => setMode(value as Mode)} />}
    >
      {mode === 'apply' ? (
        <LazySqlEditor key="apply" label="Schema statements" value={statements} onChange={setStatements} tables={schema.tables} onSubmit={review} placeholder={makePlaceholder(schema)} heightMin={110} />
      ) : (
        <LazySqlEditor key="replace" label="Whole schema" value={text} onChange={setWhole} tables={schema.tables} onSubmit={review} heightMin={320} />
      )}
      {save.isError ? <ErrorNotice title="The draft was not changed" error={save.error} /> : null}
      {schema.notes.length > 0 && saved ? <ul className={classes.notes} aria-label="Notes">{schema.notes.map((note) => <li key={note}>{note}</li>)}</ul> : null}
      <div className={classes.actions}>
        <Button onClick={review} loading={save.isPending} disabled={!isChanged}>Review changes</Button>
        {isChanged && mode === 'replace' ? <Button variant="default" onClick={() => setWhole(null)}>Discard</Button> : null}
        {saved && !isChanged && saved.revision === schema.revision ? (
          <span className={classes.saved}>Saved as revision {saved.revision}. <button type="button" className={classes.textButton} onClick={() => takeBack(saved)}>Take it back</button></span>
        ) : (
          <span className="rh-dim">Draft revision {schema.revision}. <kbd>Ctrl+Enter</kbd> reviews.</span>
        )}
      </div>
    </Panel>
  );
}

function makePlaceholder(schema: WorkingSchema): string {
  const table = schema.tables.find((candidate) => candidate.name === 'posts') ?? schema.tables[0];
  if (!table) return 'CREATE TABLE notes (\n  id int AUTO_INCREMENT PRIMARY KEY,\n  body text NOT NULL\n);';
  return `ALTER TABLE ${table.name} ADD COLUMN note varchar(200) NULL;`;
}
