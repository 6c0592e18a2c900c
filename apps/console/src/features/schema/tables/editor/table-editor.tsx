import type { TableStructureResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { afterChange } from '../../../../data/client/use-change.js';
import { useEditSchema } from '../../../../data/schema/mutations.js';
import type { WorkingSchema } from '../../../../data/schema/queries.js';
import { ConfirmDialog } from '../../../../ui/dialogs/lazy-dialog.js';
import { ErrorNotice } from '../../../../ui/notices/error-notice.js';
import { formatCountOf } from '../../../../ui/formatting/format-number.js';
import { Panel } from '../../../../ui/layout/panel.js';
import type { PageLocation } from '../../../shell/pages.js';
import { ChangePreview } from '../../editor/change-preview.js';
import { useSchemaLocation } from '../../schema-search.js';
import { listTableEdits } from './table-edits.js';
import classes from './table-editor.module.css';
import { TableFields } from './table-fields.js';
import { findFormFaults, isColumnUnique, makeNewTable, type TableForm, toTableForm } from './table-form.js';
import { usePersistedDraft } from '../../editor/use-persisted-draft.js';

interface PersistedForm {
  /** The draft's revision from which the form was created. */
  readonly revision: number;
  readonly form: TableForm;
}

interface TableDraft {
  readonly form: TableForm;
  readonly setForm: (form: TableForm) => void;
  readonly discard: () => void;
  /** Whether the draft has a newer revision than the one that the form was created from. */
  readonly isStale: boolean;
  /**
   * Whether the browser has stored the contents of the form, before the page was reloaded or since the last
   * edit.
   */
  readonly isRetained: boolean;
}
interface TableEditorProps {
  readonly location: PageLocation;
  readonly schema: WorkingSchema;
  /** The table to edit. Null for a new table. */
  readonly table: TableStructureResponse | null;
}

/** Returns whether the user is still in the editor. A save must not take a user back who has left meanwhile. */
function isEditorOpen(): boolean {
  return new URLSearchParams(window.location.search).has('edit');
}

/**
 * A form that edits the parts of a table. With each edit, it also shows the resulting SQL and the effect of
 * deploying it.
 */
export function TableEditor({ location: pageLocation, schema, table }: TableEditorProps) {
  const { goTo } = useSchemaLocation();
  const save = useEditSchema(pageLocation.projectId);
  const before = table === null ? null : toTableForm(table);
  const draft = useTableDraft(
    `${pageLocation.projectId}-table-${table?.name ?? ' new'}`,
    before ?? makeNewTable(),
    schema.revision,
  );
  const faults = findFormFaults(draft.form);
  const uniqueNames = Object.fromEntries(
    (table?.indexes ?? []).filter(isColumnUnique).map((index) => [index.columns[0] ?? '', index.name]),
  );
  const edits = faults.length > 0 ? [] : listTableEdits(before, draft.form, uniqueNames);
  const close = (name: string | undefined): void => goTo(name === undefined ? {} : { table: name });
  const submit = (): void =>
    afterChange(save.mutateAsync({ edits, base_revision: schema.revision }), () => {
      draft.discard();
      if (isEditorOpen()) close(draft.form.name);
    });
  return (
    <div className={classes.editor}>
      <Panel
        label={table === null ? 'New table' : `Edit ${table.name}`}
        title={
          table === null ? (
            'New table'
          ) : (
            <>
              Edit <span className="rh-mono">{table.name}</span>
            </>
          )
        }
        note="Changes are saved to the draft. Nothing is live until you deploy."
        actions={
          table === null ? undefined : (
            <DropTableButton place={pageLocation} schema={schema} table={table.name} />
          )
        }
      >
        {draft.isStale ? (
          <p className={classes.stale} role="note">
            The draft has changed since you started. Your edits are based on the earlier table. Check the SQL
            below or start over.
          </p>
        ) : null}
        <TableFields form={draft.form} tables={schema.tables} onChange={draft.setForm} />
      </Panel>
      <ChangePreview
        location={pageLocation}
        request={edits.length === 0 ? null : { edits }}
        tables={table === null ? [draft.form.name] : [table.name, draft.form.name]}
        faults={draft.isRetained ? faults : []}
      />
      {save.isError ? <ErrorNotice title="Couldn’t save the draft" error={save.error} /> : null}
      <div className={classes.actions}>
        <Button onClick={submit} loading={save.isPending} disabled={edits.length === 0}>
          Save to draft
        </Button>
        <Button
          variant="default"
          onClick={() => {
            draft.discard();
            close(table?.name);
          }}
        >
          {draft.isRetained ? 'Discard edits' : 'Close'}
        </Button>
        <span className="rh-dim" role="status" aria-label="Edits">
          {edits.length === 0 ? 'No changes yet.' : formatCountOf(edits.length, 'unsaved edit')}
        </span>
      </div>
    </div>
  );
}

function DropTableButton({
  place: pageLocation,
  schema,
  table,
}: {
  place: PageLocation;
  schema: WorkingSchema;
  table: string;
}) {
  const { goTo } = useSchemaLocation();
  const [isAsking, setAsking] = useState(false);
  const drop = useEditSchema(pageLocation.projectId);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        color="brick"
        leftSection={<IconTrash size={14} />}
        onClick={() => setAsking(true)}
      >
        Drop table
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={`Drop ${table} from the draft`}
        actionLabel="Drop from draft"
        isPending={drop.isPending}
        error={drop.error}
        errorTitle="Couldn’t drop the table"
        onClose={() => setAsking(false)}
        onConfirm={() =>
          afterChange(
            drop.mutateAsync({ edits: [{ kind: 'drop_table', table }], base_revision: schema.revision }),
            () => (isEditorOpen() ? goTo({}) : undefined),
          )
        }
      >
        This only changes the draft. The table’s rows are removed when you deploy, and you’ll be asked to
        confirm.
      </ConfirmDialog>
    </>
  );
}

/**
 * Returns the state of a table editor. The browser stores the edits, so they are still there after the user
 * has left or reloaded the page.
 */
function useTableDraft(name: string, before: TableForm, revision: number): TableDraft {
  const [text, setText] = usePersistedDraft(name);
  const [persisted, setPersisted] = useState<PersistedForm | null>(() => readStored(text));
  const keep = (next: PersistedForm | null): void => {
    setPersisted(next);
    setText(next === null ? '' : JSON.stringify(next));
  };
  return {
    form: persisted?.form ?? before,
    setForm: (form) => keep({ revision: persisted?.revision ?? revision, form }),
    discard: () => keep(null),
    isStale: persisted !== null && persisted.revision !== revision,
    isRetained: persisted !== null,
  };
}

function readStored(text: string): PersistedForm | null {
  if (text === '') return null;
  try {
    const persisted = JSON.parse(text) as Partial<PersistedForm>;
    return typeof persisted.revision === 'number' && Array.isArray(persisted.form?.columns)
      ? (persisted as PersistedForm)
      : null;
  } catch {
    return null;
  }
}
