import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo } from 'react';
import { toCellText } from '../../data/rows/cell-text.js';
import { writeSort } from '../../data/rows/parameter-names.js';
import type { ColumnView, TableView } from '../../data/schema/read-tables.js';
import { copyText } from '../../ui/code/copy-text.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import type { PageLocation } from '../shell/pages.js';
import { writeCells } from './grid/cell-block.js';
import type { ChangeSearch, DataSearch } from './data-search.js';
import { directionOf } from './grid/grid-header.js';
import type { GridRow } from './grid/grid-row.js';
import { GridMenus } from './lazy-parts.js';
import { RowGrid } from './grid/row-grid.js';
import classes from './rows.module.css';
import type { RowEdits } from './changes/use-row-edits.js';
import type { TableRead } from './use-table-rows.js';
import { widthOf } from '../../data/rows/column-kinds.js';
import { usePersistedState } from '../../ui/controls/use-persisted-state.js';

const NONE = {};

interface TableRowsProps {
  readonly database: DatabaseResponse;
  readonly location: PageLocation;
  readonly table: TableView;
  readonly columns: readonly ColumnView[];
  readonly search: DataSearch;
  readonly read: TableRead;
  readonly edits: RowEdits;
  readonly selected: ReadonlySet<string>;
  /** Content that is shown if the list has no rows. */
  readonly empty: ReactNode;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onOpen: (row: GridRow) => void;
  readonly onDuplicate: (row: GridRow) => void;
  readonly onDelete: (rows: readonly GridRow[]) => void;
  readonly onColumns: (visible: readonly string[] | null) => void;
  /** Opens the form for a new filter on a column. */
  readonly onAddFilter: (column: string) => void;
  readonly onSearch: ChangeSearch;
}

/**
 * The grid of a table. It shows a skeleton until the first rows are loaded, or the reason why they cannot be
 * loaded.
 */
export function TableRows({
  database,
  location: pageLocation,
  table,
  columns,
  search,
  read,
  edits,
  selected,
  empty,
  onSelect,
  onOpen,
  onDuplicate,
  onDelete,
  onColumns,
  onAddFilter,
  onSearch,
}: TableRowsProps) {
  const navigate = useNavigate();
  const [widths, resize] = useColumnWidths(database.id, table.name, columns);
  const { list } = read;
  const { rows } = edits;
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
  const sortBy = (column: ColumnView): void => {
    const direction = directionOf(search.sort, column.name);
    onSearch({
      sort:
        direction === 'descending'
          ? undefined
          : writeSort({ column: column.name, isDescending: direction === 'ascending' }),
    });
  };
  if (list.isPending) return SKELETON;
  if (list.data === undefined)
    return (
      <div className={classes.padded}>
        <ErrorNotice
          title={`Couldn’t load the rows of ${table.name}`}
          error={list.error}
          onRetry={() => void list.refetch()}
        />
        {search.filters !== undefined || search.sort !== undefined ? (
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
    );
  const foot = list.isFetchingNextPage
    ? 'Loading more rows…'
    : list.hasNextPage
      ? ''
      : read.isWhole
        ? formatCountOf(rows.length, 'row')
        : `Showing the first ${formatCountOf(rows.length, 'row')}. Add a filter to find others.`;
  return (
    <Later instead={SKELETON}>
      <RowGrid
        label={`Rows of ${table.name}`}
        columns={columns}
        keys={table.primaryKey}
        widths={widths}
        rows={rows}
        staged={edits.history.staged}
        sort={search.sort}
        selected={selected}
        isReadOnly={edits.isReadOnly}
        readCell={edits.readCell}
        empty={empty}
        foot={foot}
        onSelect={onSelect}
        onSort={sortBy}
        onResize={resize}
        onCommit={edits.commit}
        onOpen={onOpen}
        onDelete={onDelete}
        onFollow={follow}
        onNearEnd={read.readOn}
        onCopy={(copied, of) => void copyText(writeCells(copied, of, edits.readCell))}
        renderMenu={(open) => (
          <GridMenus
            open={open}
            table={table}
            columns={columns}
            search={search}
            edits={edits}
            selected={selected}
            onSearch={onSearch}
            onColumns={onColumns}
            onAddFilter={onAddFilter}
            onOpen={onOpen}
            onDuplicate={onDuplicate}
            onDelete={onDelete}
          />
        )}
        onPaste={(cell, text) => void edits.paste(cell, text, columns)}
      />
    </Later>
  );
}

const SKELETON = (
  <div className={classes.padded}>
    <SkeletonRows rows={9} height={26} />
  </div>
);

/** Returns the widths of the columns, which this browser stores. */
function useColumnWidths(
  databaseId: string,
  table: string,
  columns: readonly ColumnView[],
): [readonly number[], (column: ColumnView, width: number) => void] {
  const [persisted, setPersisted] = usePersistedState<Readonly<Record<string, number>>>(
    `rowhouse-widths-${databaseId}-${table}`,
    NONE,
  );
  const widths = useMemo(
    () => columns.map((column) => persisted[column.name] ?? widthOf(column)),
    [columns, persisted],
  );
  const resize = useCallback(
    (column: ColumnView, width: number) => setPersisted((old) => ({ ...old, [column.name]: width })),
    [setPersisted],
  );
  return [widths, resize];
}
