import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState, type KeyboardEvent } from 'react';
import { useBlocker } from '@tanstack/react-router';
import type { LiveSchema } from '../../data/rows/queries.js';
import type { ColumnView, TableView } from '../../data/schema/read-tables.js';
import type { PageLocation } from '../shell/pages.js';
import type { ChangeSearch, DataSearch } from './data-search.js';
import type { GridRow } from './grid/grid-row.js';
import { EmptyTable, FilterBar, OpenRecord, StagedBar, TableNotices } from './lazy-parts.js';
import { RowTools } from './row-tools.js';
import classes from './rows.module.css';
import { TableRows } from './table-rows.js';
import { useDiscard } from './changes/use-staged.js';
import { usePersistedColumns } from './use-persisted-columns.js';
import { useOpenRecord } from './record/use-open-record.js';
import { useRowEdits, type RowEdits } from './changes/use-row-edits.js';
import { useTableRows, type TableRead } from './use-table-rows.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { formatCountOf } from '../../ui/formatting/format-number.js';

/** The edited filter. For a new filter, `index` is the number of existing filters. */
interface OpenFilter {
  readonly index: number;
  /** The column that the form of a new filter starts with. */
  readonly column?: string | undefined;
}

interface LeaveGuardProps {
  readonly table: string;
  readonly environment: string;
  /** The number of unsaved changes. */
  readonly count: number;
}

interface TableWorkspaceProps {
  readonly database: DatabaseResponse;
  readonly location: PageLocation;
  readonly schema: LiveSchema;
  readonly table: TableView;
  readonly search: DataSearch;
  readonly onSearch: ChangeSearch;
}

/**
 * The page of one table, where its rows can be filtered and edited. Changes are staged until the user saves
 * them together.
 */
export function TableWorkspace({
  database,
  location: pageLocation,
  schema,
  table,
  search,
  onSearch,
}: TableWorkspaceProps) {
  const { chosen, columns, names, chooseColumns } = useColumnChoice(database, table, search, onSearch);
  const filters = search.filters ?? [];
  const request = { filters, sort: search.sort, select: chosen === undefined ? null : names };
  const read = useTableRows(database, table, request, names);
  const { list } = read;
  const edits = useRowEdits(database, schema, table, read);
  const { history, isReadOnly } = edits;
  const { staged } = history;
  const discard = useDiscard(history);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [openFilter, setOpenFilter] = useState<OpenFilter | null>(null);
  const record = useOpenRecord(database, table, edits, onSearch);

  const addFilter = (column?: string): void => setOpenFilter({ index: filters.length, column });
  const deleteRows = (requested: readonly GridRow[]): void => {
    if (edits.deleteRows(requested)) setSelected(new Set());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.key === 's') edits.submit();
    else if (event.key === 'z' && event.target instanceof HTMLDivElement && history.canUndo) history.undo();
    else return;
    event.preventDefault();
  };
  const addButton = isReadOnly ? undefined : (
    <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => record.add()}>
      Add row
    </Button>
  );
  return (
    <div className={classes.main} onKeyDown={onKeyDown}>
      <RowTools
        database={database}
        table={table}
        columns={columns}
        request={request}
        rows={edits.rows}
        stored={read.isWhole ? read.stored.length : null}
        selected={selected}
        edits={edits}
        isFetching={list.isFetching && !list.isPending}
        addButton={addButton}
        onAddFilter={() => addFilter()}
        onColumns={chooseColumns}
        onRefresh={() => void list.refetch()}
        onDelete={deleteRows}
      />
      {filters.length === 0 && search.sort === undefined && openFilter === null ? null : (
        <FilterBar
          table={table}
          filters={filters}
          sort={search.sort}
          open={openFilter?.index ?? null}
          column={openFilter?.column}
          onOpen={(index) => setOpenFilter(index === null ? null : { index })}
          onChange={(next) => onSearch({ filters: next.length === 0 ? undefined : next })}
        />
      )}
      {hasNotices(read, edits) ? <TableNotices read={read} edits={edits} /> : null}
      <span role="status" className="rh-spoken">
        {edits.message}
      </span>
      <div className={classes.frame}>
        <TableRows
          database={database}
          location={pageLocation}
          table={table}
          columns={columns}
          search={search}
          read={read}
          edits={edits}
          selected={selected}
          empty={
            <EmptyTable
              database={database}
              table={table}
              isFiltered={filters.length > 0}
              addButton={addButton}
              onSearch={onSearch}
            />
          }
          onSelect={setSelected}
          onOpen={record.open}
          onDuplicate={record.duplicate}
          onColumns={chooseColumns}
          onAddFilter={addFilter}
          onDelete={deleteRows}
          onSearch={onSearch}
        />
        <StagedBar
          environment={database.environment}
          staged={staged}
          isPending={edits.save.isPending}
          canUndo={history.canUndo}
          onSave={edits.submit}
          onDiscard={discard}
          onUndo={history.undo}
        />
      </div>
      {record.newRow === null && search.row === undefined ? null : (
        <OpenRecord
          database={database}
          location={pageLocation}
          schema={schema}
          table={table}
          edits={edits}
          newRow={record.newRow}
          path={search.row ?? null}
          onClose={() => record.close(search.row !== undefined)}
        />
      )}
      <LeaveGuard table={table.name} environment={database.environment} count={staged.changes.length} />
    </div>
  );
}

/** Returns whether a save or a request failed, so that the page must show a notice. */
function hasNotices({ list, long }: TableRead, { save }: RowEdits): boolean {
  return save.isError || save.data?.kind === 'rejected' || long.error !== null || list.isError;
}

/**
 * Returns the visible columns, which come from the URL or from the previous visit. `chosen` is undefined if
 * all columns are visible.
 */
function useColumnChoice(
  database: DatabaseResponse,
  table: TableView,
  search: DataSearch,
  onSearch: ChangeSearch,
) {
  const [chosen, chooseColumns] = usePersistedColumns(
    database.id,
    table,
    search.columns,
    (requested, replaces) => onSearch({ columns: requested ?? undefined }, replaces),
  );
  // The names are compared as JSON text, because the stored list is a new array each time.
  const requestedNames = JSON.stringify(chosen ?? []);
  const columns = useMemo(
    () => pickColumns(table, JSON.parse(requestedNames) as string[]),
    [table, requestedNames],
  );
  const names = useMemo(() => columns.map((column) => column.name), [columns]);
  return { chosen, columns, names, chooseColumns };
}

function pickColumns(table: TableView, requested: readonly string[]): readonly ColumnView[] {
  const found = requested
    .map((name) => table.columns.find((column) => column.name === name))
    .filter((column) => column !== undefined);
  return found.length === 0 ? table.columns : found;
}

/**
 * Asks before unsaved changes are discarded. The code is part of the page's first chunk, because a click
 * right after the first edit must already be guarded.
 */
function LeaveGuard({ table, environment, count }: LeaveGuardProps) {
  const leave = useBlocker({
    shouldBlockFn: ({ current, next }) => count > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => count > 0,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={leave.status === 'blocked'}
      title="Leave without saving?"
      actionLabel="Discard and leave"
      isPending={false}
      error={null}
      errorTitle=""
      onConfirm={() => leave.proceed?.()}
      onClose={() => leave.reset?.()}
    >
      You have {formatCountOf(count, 'unsaved change')} to {table} in {environment}.
    </ConfirmDialog>
  );
}
