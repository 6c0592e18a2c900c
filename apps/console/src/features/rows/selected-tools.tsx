import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ColumnView, TableView } from '../../data/schema/read-tables.js';
import { useState } from 'react';
import { lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
import { copyText } from '../../ui/code/copy-text.js';
import { Dropdown, DropdownItem } from '../../ui/controls/dropdown.js';
import { copyRows, type CopyForm } from './transfer/copy-rows.js';
import type { GridRow } from './grid/grid-row.js';
import classes from './rows.module.css';
import tools from './tools.module.css';
import type { RowEdits } from './changes/use-row-edits.js';

const BulkEditDialog = lazyDialog(() =>
  import('./changes/bulk-edit-dialog.js').then((module) => module.BulkEditDialog),
);

interface SelectedToolsProps {
  readonly database: DatabaseResponse;
  readonly table: TableView;
  readonly columns: readonly ColumnView[];
  readonly chosen: readonly GridRow[];
  readonly edits: RowEdits;
  readonly onDelete: (rows: readonly GridRow[]) => void;
}

const COPIES: readonly { form: CopyForm; label: string }[] = [
  { form: 'json', label: 'As JSON' },
  { form: 'sql', label: 'As SQL' },
  { form: 'curl', label: 'As curl' },
  { form: 'tsv', label: 'For a spreadsheet' },
];

/** The buttons for the selected rows, such as copy and delete. */
export function SelectedTools({ database, table, columns, chosen, edits, onDelete }: SelectedToolsProps) {
  const [isEditing, setEditing] = useState(false);
  const copy = (form: CopyForm): void => {
    const values = chosen.map((row) =>
      Object.fromEntries(columns.map((column) => [column.name, edits.readCell(row, column)])),
    );
    void copyText(
      copyRows(form, table, columns, values, {
        baseUrl: database.base_url,
        paths: chosen.map((row) => row.path),
      }),
    );
  };
  return (
    <div className={classes.tools} role="group" aria-label="Selected rows">
      <span className="rh-dim" role="status">
        {chosen.length} selected
      </span>
      <Dropdown
        label="Copy selected rows"
        align="end"
        triggerClassName={tools.menuButton}
        trigger={
          <>
            <IconCopy size={15} aria-hidden />
            Copy
          </>
        }
      >
        {COPIES.map(({ form, label }) => (
          <DropdownItem key={form} onSelect={() => copy(form)}>
            {label}
          </DropdownItem>
        ))}
      </Dropdown>
      {edits.isReadOnly ? null : (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPencil size={15} />}
          onClick={() => setEditing(true)}
        >
          Edit
        </Button>
      )}
      {edits.canDelete ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={15} />}
          onClick={() => onDelete(chosen)}
        >
          Delete
        </Button>
      ) : null}
      <BulkEditDialog
        opened={isEditing}
        table={table}
        rows={chosen}
        edits={edits}
        onClose={() => setEditing(false)}
      />
    </div>
  );
}
