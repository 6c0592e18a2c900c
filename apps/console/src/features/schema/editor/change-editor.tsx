import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSaveSchema } from '../../../data/schema/mutations.js';
import type { WorkingSchema } from '../../../data/schema/queries.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { Panel } from '../../../ui/layout/panel.js';
import { Segments } from '../../../ui/controls/segments.js';
import { LazySqlEditor } from './lazy-sql-editor.js';
import classes from '../schema.module.css';
import { usePersistedDraft } from './use-persisted-draft.js';
import { useSchemaLocation } from '../schema-search.js';

type Mode = 'apply' | 'replace';

interface ChangeEditorProps {
  readonly projectId: string;
  readonly schema: WorkingSchema;
  readonly canEdit: boolean;
}

/**
 * Edits the draft as SQL, either by adding statements or by editing the whole text. Editing does not deploy
 * anything.
 */
export function ChangeEditor({ projectId, schema, canEdit }: ChangeEditorProps) {
  const { goTo } = useSchemaLocation();
  const save = useSaveSchema(projectId);
  const [mode, setMode] = useState<Mode>(canEdit ? 'apply' : 'replace');
  const [statements, setStatements] = usePersistedDraft(`${projectId}-statements`);
  const [whole, setWhole] = usePersistedDraft(`${projectId}-whole`);
  const text = mode === 'apply' ? statements : whole === '' ? schema.sql : whole;
  const isChanged = mode === 'apply' ? statements.trim() !== '' : whole !== '' && whole !== schema.sql;
  const setText =
    mode === 'apply' ? setStatements : (next: string) => setWhole(next === schema.sql ? '' : next);

  const review = (): void => {
    if (save.isPending || !canEdit || !isChanged) return;
    save.mutate(
      { sql: text, mode, base_revision: schema.revision },
      {
        onSuccess: () => {
          if (mode === 'apply') setStatements('');
          else setWhole('');
          goTo({ view: 'deploy' });
        },
      },
    );
  };
  return (
    <Panel
      title={canEdit ? 'Edit as SQL' : 'The draft as SQL'}
      note={describeMode(mode, canEdit)}
      actions={
        canEdit ? (
          <Segments
            aria-label="Mode"
            data={[
              { value: 'apply', label: 'Statements' },
              { value: 'replace', label: 'Whole schema' },
            ]}
            value={mode}
            onChange={(value) => setMode(value as Mode)}
          />
        ) : undefined
      }
    >
      {mode === 'apply' ? (
        <LazySqlEditor
          key="apply"
          label="Schema statements"
          value={statements}
          onChange={setText}
          tables={schema.tables}
          onSubmit={review}
          heightMin={150}
        />
      ) : (
        <LazySqlEditor
          key="replace"
          label="Whole schema"
          value={text}
          onChange={setText}
          tables={schema.tables}
          onSubmit={review}
          heightMin={360}
        />
      )}
      {mode === 'apply' && statements === '' ? <Example schema={schema} onUse={setStatements} /> : null}
      {save.isError ? <ErrorNotice title="Couldn’t save the draft" error={save.error} /> : null}
      {canEdit ? (
        <div className={classes.actions}>
          <Button onClick={review} loading={save.isPending} disabled={!isChanged}>
            Review changes
          </Button>
          {isChanged ? (
            <Button variant="default" onClick={() => setText(mode === 'apply' ? '' : schema.sql)}>
              Discard
            </Button>
          ) : null}
          <span className="rh-dim">
            {isChanged ? (
              'Not in the draft yet. Stored in this browser.'
            ) : (
              <>The draft is revision {schema.revision}.</>
            )}{' '}
            Press <kbd>Ctrl+Enter</kbd> to review.
          </span>
        </div>
      ) : null}
    </Panel>
  );
}

function describeMode(mode: Mode, canEdit: boolean): string {
  if (!canEdit) return 'Only developers can edit the draft.';
  return mode === 'apply'
    ? 'Statements are applied to the draft. Review shows the plan; nothing is deployed.'
    : 'This is the whole draft. Anything you remove here is dropped from it.';
}

/** The example is shown outside of the text field. Inside, it would look like text that the user wrote. */
function Example({ schema, onUse }: { schema: WorkingSchema; onUse: (text: string) => void }) {
  const example = makeExample(schema);
  return (
    <p className={classes.example}>
      <span className="rh-dim">For example</span> <code>{example}</code>{' '}
      <button type="button" className={classes.textButton} onClick={() => onUse(example)}>
        Use example
      </button>
    </p>
  );
}

function makeExample(schema: WorkingSchema): string {
  const table =
    schema.tables.find((candidate) => candidate.name === 'posts') ??
    schema.tables.find((candidate) => candidate.kind === 'table');
  if (!table) return 'CREATE TABLE notes (id int AUTO_INCREMENT PRIMARY KEY, body text NOT NULL);';
  return `ALTER TABLE ${table.name} ADD COLUMN note varchar(200) NULL;`;
}
