import type { DatabaseAnswer } from '@rowhouse/contracts';
import { ActionIcon, Button } from '@mantine/core';
import { IconColumns3, IconCopy, IconDownload, IconFilter, IconKeyboard, IconRefresh, IconTrash, IconUpload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { makeListPath, type ListRequest } from '../../data/rows/make-list-path.js';
import type { ColumnView, TableView } from '../../data/schema/read-tables.js';
import { copyText } from '../../ui/copy-text.js';
import { Dropdown, DropdownItem } from '../../ui/dropdown.js';
import { HouseGlyph } from '../../ui/house-glyph.js';
import { lazyDialog } from '../../ui/lazy-dialog.js';
import { Tag } from '../../ui/tag.js';
import { copyRows, type CopyForm } from './copy-rows.js';
import type { GridRow } from './grid-row.js';
import { RowCount } from './row-count.js';
import classes from './rows.module.css';
import tools from './tools.module.css';
import type { RowEdits } from './use-row-edits.js';

const ColumnsMenu = lazyDialog(() => import('./columns-menu.js').then((module) => module.ColumnsMenu));
const ExportDialog = lazyDialog(() => import('./export-dialog.js').then((module) => module.ExportDialog));
const ImportDialog = lazyDialog(() => import('./import-dialog.js').then((module) => module.ImportDialog));
const KeysHelp = lazyDialog(() => import('./keys-help.js').then((module) => module.KeysHelp));

interface RowToolsProps {
  readonly database: DatabaseAnswer;
  readonly table: TableView;
  readonly columns: readonly ColumnView[];
  readonly request: ListRequest;
  readonly rows: readonly GridRow[];
  /** How many rows are stored, where all of them were read. */
  readonly stored: number | null;
  readonly selected: ReadonlySet<string>;
  readonly edits: RowEdits;
  readonly isFetching: boolean;
  readonly addButton: ReactNode;
  readonly onAddFilter: () => void;
  readonly onColumns: (shown: readonly string[] | null) => void;
  readonly onRefresh: () => void;
  readonly onDelete: (rows: readonly GridRow[]) => void;
}

type Open = 'columns' | 'import' | 'export' | 'keys' | null;

const COPIES: readonly { form: CopyForm; label: string }[] = [{ form: 'json', label: 'as JSON' }, { form: 'sql', label: 'as SQL' }, { form: 'curl', label: 'as curl' }, { form: 'tsv', label: 'for a spreadsheet' }];

/** What a table is called, how many rows it has, and what can be done with them. */
export function RowTools(props: RowToolsProps) {
  const { database, table, columns, request, rows, selected, edits } = props;
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const chosen = rows.filter((row) => selected.has(row.id));
  const copy = (form: CopyForm): void => {
    const values = chosen.map((row) => Object.fromEntries(columns.map((column) => [column.name, edits.readCell(row, column)])));
    void copyText(copyRows(form, table, columns, values, { baseUrl: database.base_url, paths: chosen.map((row) => row.path) }));
  };
  return (
    <header className={classes.head}>
      <h1><HouseGlyph environment={database.environment} size={16} />{table.name}</h1>
      {database.environment === 'production' ? <Tag tone="brick" dot>production</Tag> : null}
      {table.kind === 'view' ? <Tag>view</Tag> : null}
      {edits.isReadOnly && table.kind !== 'view' ? <Tag>read only</Tag> : null}
      <RowCount database={database} table={table} filters={request.filters} known={props.stored} />
      {chosen.length > 0 ? (
        <div className={classes.tools} role="group" aria-label="Selected rows">
          <span className="rh-dim" role="status">{chosen.length} selected</span>
          <Dropdown label="Copy selected rows" align="end" triggerClassName={tools.menuButton} trigger={<><IconCopy size={15} aria-hidden />Copy</>}>
            {COPIES.map(({ form, label }) => <DropdownItem key={form} onSelect={() => copy(form)}>{label}</DropdownItem>)}
          </Dropdown>
          {edits.canDelete ? <Button size="xs" variant="default" leftSection={<IconTrash size={15} />} onClick={() => props.onDelete(chosen)}>Delete</Button> : null}
        </div>
      ) : (
        <div className={classes.tools}>
          <Button size="compact-sm" variant="subtle" color="gray" leftSection={<IconFilter size={15} />} onClick={props.onAddFilter}>Filter</Button>
          <Button size="compact-sm" variant="subtle" color="gray" leftSection={<IconColumns3 size={15} />} onClick={() => setOpen('columns')}>Columns{columns.length === table.columns.length ? '' : ` ${columns.length} of ${table.columns.length}`}</Button>
          {edits.isReadOnly ? null : <Button size="compact-sm" variant="subtle" color="gray" leftSection={<IconUpload size={15} />} onClick={() => setOpen('import')}>Import</Button>}
          <Button size="compact-sm" variant="subtle" color="gray" leftSection={<IconDownload size={15} />} onClick={() => setOpen('export')}>Export</Button>
          <ActionIcon aria-label="Read the rows again" title="Read the rows again" onClick={props.onRefresh} loading={props.isFetching}><IconRefresh size={16} /></ActionIcon>
          <ActionIcon aria-label="Keys of the grid" title="Keys of the grid" onClick={() => setOpen('keys')}><IconKeyboard size={17} /></ActionIcon>
          {props.addButton}
        </div>
      )}
      <ColumnsMenu opened={open === 'columns'} columns={table.columns} shown={columns.map((column) => column.name)} onChange={props.onColumns} onClose={close} />
      <ImportDialog opened={open === 'import'} database={database} table={table} onClose={close} />
      <ExportDialog opened={open === 'export'} database={database} fileName={`${table.name}-${database.environment}`} request={{ path: makeListPath(table, request) }} onClose={close}>
        All rows of {table.name}{request.filters.length > 0 ? ' that the filters let through' : ''}, however many, in this order and these columns.
      </ExportDialog>
      <KeysHelp opened={open === 'keys'} onClose={close} />
    </header>
  );
}
