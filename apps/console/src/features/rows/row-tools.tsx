import type { DatabaseResponse } from '@rowhouse/contracts';
import { ActionIcon, Button } from '@mantine/core';
import {
  IconColumns3,
  IconDownload,
  IconFilter,
  IconKeyboard,
  IconRefresh,
  IconUpload,
} from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { makeListPath, type ListRequest } from '../../data/rows/make-list-path.js';
import type { ColumnView, TableView } from '../../data/schema/read-tables.js';
import { HouseGlyph } from '../../ui/theme/house-glyph.js';
import { lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
import { Tag } from '../../ui/layout/tag.js';
import type { GridRow } from './grid/grid-row.js';
import { SelectedTools } from './lazy-parts.js';
import { RowCount } from './row-count.js';
import classes from './rows.module.css';
import type { RowEdits } from './changes/use-row-edits.js';

const ColumnsMenu = lazyDialog(() => import('./columns-menu.js').then((module) => module.ColumnsMenu));
const ExportDialog = lazyDialog(() =>
  import('./transfer/export-dialog.js').then((module) => module.ExportDialog),
);
const ImportDialog = lazyDialog(() =>
  import('./transfer/import-dialog.js').then((module) => module.ImportDialog),
);
const KeysHelp = lazyDialog(() => import('./keys-help.js').then((module) => module.KeysHelp));

interface RowToolsProps {
  readonly database: DatabaseResponse;
  readonly table: TableView;
  readonly columns: readonly ColumnView[];
  readonly request: ListRequest;
  readonly rows: readonly GridRow[];
  /** The number of stored rows if all of them are loaded, otherwise null. */
  readonly stored: number | null;
  readonly selected: ReadonlySet<string>;
  readonly edits: RowEdits;
  readonly isFetching: boolean;
  readonly addButton: ReactNode;
  readonly onAddFilter: () => void;
  readonly onColumns: (visible: readonly string[] | null) => void;
  readonly onRefresh: () => void;
  readonly onDelete: (rows: readonly GridRow[]) => void;
}

type Open = 'columns' | 'import' | 'export' | 'keys' | null;

/** The line above the grid: the name of the table, the number of its rows, and the actions on them. */
export function RowTools(props: RowToolsProps) {
  const { database, table, columns, request, rows, selected, edits } = props;
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const chosen = rows.filter((row) => selected.has(row.id));
  return (
    <header className={classes.head}>
      <h1>
        <HouseGlyph environment={database.environment} size={16} />
        {table.name}
      </h1>
      {database.environment === 'production' ? (
        <Tag tone="brick" dot>
          production
        </Tag>
      ) : null}
      {table.kind === 'view' ? <Tag>view</Tag> : null}
      {edits.isReadOnly && table.kind !== 'view' ? <Tag>read only</Tag> : null}
      <RowCount database={database} table={table} filters={request.filters} known={props.stored} />
      {chosen.length > 0 ? (
        <SelectedTools
          database={database}
          table={table}
          columns={columns}
          chosen={chosen}
          edits={edits}
          onDelete={props.onDelete}
        />
      ) : (
        <div className={classes.tools}>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconFilter size={15} />}
            onClick={props.onAddFilter}
          >
            Filter
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconColumns3 size={15} />}
            onClick={() => setOpen('columns')}
          >
            Columns
            {columns.length === table.columns.length ? '' : ` ${columns.length} of ${table.columns.length}`}
          </Button>
          {edits.isReadOnly ? null : (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              leftSection={<IconUpload size={15} />}
              onClick={() => setOpen('import')}
            >
              Import
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconDownload size={15} />}
            onClick={() => setOpen('export')}
          >
            Export
          </Button>
          <ActionIcon
            aria-label="Refresh"
            title="Refresh"
            onClick={props.onRefresh}
            loading={props.isFetching}
          >
            <IconRefresh size={16} />
          </ActionIcon>
          <ActionIcon
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts"
            onClick={() => setOpen('keys')}
          >
            <IconKeyboard size={17} />
          </ActionIcon>
          {props.addButton}
        </div>
      )}
      <ColumnsMenu
        opened={open === 'columns'}
        columns={table.columns}
        visible={columns.map((column) => column.name)}
        onChange={props.onColumns}
        onClose={close}
      />
      <ImportDialog opened={open === 'import'} database={database} table={table} onClose={close} />
      <ExportDialog
        opened={open === 'export'}
        database={database}
        fileName={`${table.name}-${database.environment}`}
        request={{ path: makeListPath(table, request) }}
        onClose={close}
      >
        Exports every row of {table.name}
        {request.filters.length > 0 ? ' that matches the filters' : ''}, in the current order and columns.
      </ExportDialog>
      <KeysHelp opened={open === 'keys'} onClose={close} />
    </header>
  );
}
