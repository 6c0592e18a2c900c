import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState, type KeyboardEvent } from 'react';
import { toCellText } from '../../data/rows/cell-text.js';
import { writeSort } from '../../data/rows/parameter-names.js';
import type { LiveSchema } from '../../data/rows/queries.js';
import type { ColumnView, TableView } from '../../data/schema/read-tables.js';
import { copyText } from '../../ui/copy-text.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { reportCount } from '../../ui/format-number.js';
import { Later } from '../../ui/later.js';
import { SkeletonRows } from '../../ui/skeleton-rows.js';
import type { PageLocation } from '../shell/pages.js';
import { writeCells } from './cell-block.js';
import type { DataSearch } from './data-search.js';
import { directionOf } from './grid-header.js';
import type { GridRow } from './grid-row.js';
import { ConflictList, FilterBar, OpenRecord, SeedButton, StagedBar } from './later-parts.js';
import { LeaveGuard } from './leave-guard.js';
import { RowGrid } from './row-grid.js';
import { RowTools } from './row-tools.js';
import classes from './rows.module.css';
import { keepMine, unstage } from './staged-changes.js';
import { useColumnWidths } from './use-column-widths.js';
import { useDiscard } from './use-discard.js';
import { usePersistedColumns } from './use-persisted-columns.js';
import { useRowEdits } from './use-row-edits.js';
import { useTableRows } from './use-table-rows.js';

interface TableWorkspaceProps {
  readonly database: DatabaseResponse;
  readonly place: PageLocation;
  readonly schema: LiveSchema;
  readonly table: TableView;
  readonly search: DataSearch;
  /** Undefined values are removed from the URL. */
  readonly onSearch: (
    change: { readonly [Name in keyof DataSearch]?: DataSearch[Name] | undefined },
    replace?: boolean,
  ) => void;
}

/** Distinguishes new rows that are not stored yet. */
let createdCount = 0;

/**
 * The rows of one table, which can be filtered and edited. Changes are staged until they are saved together.
 */
export function TableWorkspace({
  database,
  place: pageLocation,
  schema,
  table,
  search,
  onSearch,
}: TableWorkspaceProps) {
  const navigate = useNavigate();
  const [chosen, chooseColumns] = usePersistedColumns(
    database.id,
    table,
    search.columns,
    (requested, replaces) => onSearch({ columns: requested ?? undefined }, replaces),
  );
  // Compared by content, because the stored list is a new array each time.
  const asked = JSON.stringify(chosen ?? []);
  const columns = useMemo(() => pickColumns(table, JSON.parse(asked) as string[]), [table, asked]);
  const names = useMemo(() => columns.map((column) => column.name), [columns]);
  const filters = search.filters ?? [];
  const request = { filters, sort: search.sort, select: chosen === undefined ? null : names };
  const read = useTableRows(database, table, request, names);
  const { list, long } = read;
  const edits = useRowEdits(database, schema, table, read);
  const { history, rows, save, isReadOnly } = edits;
  const { staged } = history;
  const discard = useDiscard(history);
  const [widths, resize] = useColumnWidths(database.id, table.name, columns);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [openFilter, setOpenFilter] = useState<number | null>(null);
  const [openNew, setOpenNew] = useState<string | null>(null);

  const openRow = useCallback(
    (row: GridRow) => {
      if (row.isNew) setOpenNew(row.id);
      else if (row.path !== null) onSearch({ row: row.path });
    },
    [onSearch],
  );
  const follow = useCallback(
    (column: ColumnView, value: unknown) => {
      if (column.references === null) return;
      const { table: target, column: key } = column.references;
      void navigate({
        to: '/projects/$projectId/$environment/data/$table',
        params: { ...pageLocation, table: target },
        search: { filters: [[key, 'eq', toCellText(value)]] },
      });
    },
    [navigate, pageLocation],
  );
  const deleteRows = (requested: readonly GridRow[]): void => {
    edits.deleteRows(requested);
    setSelected(new Set());
  };
  const closeRecord = (): void => {
    setOpenNew(null);
    if (search.row !== undefined) onSearch({ row: undefined });
  };
  const sortBy = (column: ColumnView): void => {
    const direction = directionOf(search.sort, column.name);
    onSearch({
      sort:
        direction === 'descending'
          ? undefined
          : writeSort({ column: column.name, isDescending: direction === 'ascending' }),
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.key === 's') edits.submit();
    else if (event.key === 'z' && event.target instanceof HTMLDivElement && history.canUndo) history.undo();
    else return;
    event.preventDefault();
  };
  const addButton = isReadOnly ? undefined : (
    <Button
      size="xs"
      leftSection={<IconPlus size={15} />}
      onClick={() => setOpenNew(`new-${(createdCount += 1)}`)}
    >
      Add row
    </Button>
  );
  const empty =
    filters.length > 0 ? (
      <EmptyState
        title="No matching rows"
        action={
          <Button size="xs" variant="default" onClick={() => onSearch({ filters: undefined })}>
            Clear filters
          </Button>
        }
      >
        Remove a filter to see more rows.
      </EmptyState>
    ) : (
      <EmptyState
        title={`No rows in ${table.name} yet`}
        action={
          isReadOnly ? undefined : (
            <div className={classes.emptyActions}>
              {addButton}
              <SeedButton database={database} />
            </div>
          )
        }
      >
        {isReadOnly ? 'Rows appear here once they’re created.' : 'Add a row, import a file, or use the API.'}
      </EmptyState>
    );
  return (
    <div className={classes.main} onKeyDown={onKeyDown}>
      <RowTools
        database={database}
        table={table}
        columns={columns}
        request={request}
        rows={rows}
        stored={read.isWhole ? read.stored.length : null}
        selected={selected}
        edits={edits}
        isFetching={list.isFetching && !list.isPending}
        addButton={addButton}
        onAddFilter={() => setOpenFilter(filters.length)}
        onColumns={chooseColumns}
        onRefresh={() => void list.refetch()}
        onDelete={deleteRows}
      />
      {filters.length === 0 && search.sort === undefined && openFilter === null ? null : (
        <FilterBar
          table={table}
          filters={filters}
          sort={search.sort}
          open={openFilter}
          onOpen={setOpenFilter}
          onChange={(next) => onSearch({ filters: next.length === 0 ? undefined : next })}
        />
      )}
      <div className={classes.notices}>
        {save.isError ? (
          <ErrorNotice title="Nothing was saved" error={save.error} onRetry={edits.submit} />
        ) : null}
        {save.data?.kind === 'refused' && Object.keys(staged.faults).length > 0 ? (
          <ErrorNotice title="Nothing was saved because a change was rejected" error={save.data.error}>
            <ConflictList
              staged={staged}
              stated={save.data.error.message}
              onKeep={(id) => history.change((now) => keepMine(now, id))}
              onDrop={(id) => {
                history.change((now) => unstage(now, [id]));
                void list.refetch();
              }}
            />
          </ErrorNotice>
        ) : null}
        {long.error === null ? null : (
          <ErrorNotice title="Couldn’t load long values" error={long.error} onRetry={long.retry} />
        )}
        {list.isError && list.data !== undefined ? (
          <ErrorNotice
            title="Couldn’t load more rows"
            error={list.error}
            onRetry={() => void list.fetchNextPage()}
          />
        ) : null}
      </div>
      <span role="status" className="rh-spoken">
        {edits.told}
      </span>
      <div className={classes.frame}>
        {list.isPending ? (
          <div className={classes.padded}>
            <SkeletonRows rows={9} height={26} />
          </div>
        ) : list.data === undefined ? (
          <div className={classes.padded}>
            <ErrorNotice
              title={`Couldn’t load the rows of ${table.name}`}
              error={list.error}
              onRetry={() => void list.refetch()}
            />
            {filters.length > 0 || search.sort !== undefined ? (
              <div>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onSearch({ filters: undefined, sort: undefined })}
                >
                  Show all rows
                </Button>
              </div>
            ) : null}
          </div>
        ) : (
          <Later
            instead={
              <div className={classes.padded}>
                <SkeletonRows rows={9} height={26} />
              </div>
            }
          >
            <RowGrid
              label={`Rows of ${table.name}`}
              columns={columns}
              keys={table.primaryKey}
              widths={widths}
              rows={rows}
              staged={staged}
              sort={search.sort}
              selected={selected}
              isReadOnly={isReadOnly}
              readCell={edits.readCell}
              empty={empty}
              foot={
                list.isFetchingNextPage
                  ? 'Loading more rows…'
                  : list.hasNextPage
                    ? ''
                    : read.isWhole
                      ? reportCount(rows.length, 'row')
                      : `Showing the first ${reportCount(rows.length, 'row')}. Add a filter to find others.`
              }
              onSelect={setSelected}
              onSort={sortBy}
              onResize={resize}
              onCommit={edits.commit}
              onOpen={openRow}
              onDelete={deleteRows}
              onFollow={follow}
              onNearEnd={read.readOn}
              onCopy={(copied, of) => void copyText(writeCells(copied, of, edits.readCell))}
              onPaste={(cell, text) => edits.paste(cell, text, columns)}
            />
          </Later>
        )}
        <StagedBar
          environment={database.environment}
          staged={staged}
          isPending={save.isPending}
          canUndo={history.canUndo}
          onSave={edits.submit}
          onDiscard={discard}
          onUndo={history.undo}
        />
      </div>
      {openNew === null && search.row === undefined ? null : (
        <OpenRecord
          database={database}
          place={pageLocation}
          schema={schema}
          table={table}
          edits={edits}
          newId={openNew}
          path={search.row ?? null}
          onClose={closeRecord}
        />
      )}
      <LeaveGuard table={table.name} environment={database.environment} count={staged.changes.length} />
    </div>
  );
}

function pickColumns(table: TableView, requested: readonly string[]): readonly ColumnView[] {
  const found = requested
    .map((name) => table.columns.find((column) => column.name === name))
    .filter((column) => column !== undefined);
  return found.length === 0 ? table.columns : found;
}
