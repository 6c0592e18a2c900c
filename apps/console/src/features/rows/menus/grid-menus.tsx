import type { ColumnView, TableView } from '../../../data/schema/read-tables.js';
import type { RowEdits } from '../changes/use-row-edits.js';
import type { ChangeSearch, DataSearch } from '../data-search.js';
import type { GridRow } from '../grid/grid-row.js';
import type { OpenGridMenu } from '../grid/use-grid-actions.js';
import { toChosen } from './arrange-columns.js';
import { ColumnMenu } from './column-menu.js';
import { RowMenu } from './row-menu.js';

interface GridMenusProps {
  readonly open: OpenGridMenu;
  readonly table: TableView;
  readonly columns: readonly ColumnView[];
  readonly search: DataSearch;
  readonly edits: RowEdits;
  readonly selected: ReadonlySet<string>;
  readonly onSearch: ChangeSearch;
  readonly onColumns: (visible: readonly string[] | null) => void;
  /** Opens the form for a new filter on this column. */
  readonly onAddFilter: (column: string) => void;
  readonly onOpen: (row: GridRow) => void;
  readonly onDuplicate: (row: GridRow) => void;
  readonly onDelete: (rows: readonly GridRow[]) => void;
}

/** The open context menu of the grid: that of a row or that of a column. */
export function GridMenus(props: GridMenusProps) {
  const { open, table, columns, search, edits, selected, onSearch } = props;
  const { menu } = open;
  if (menu.kind === 'column')
    return (
      <ColumnMenu
        open={open}
        column={menu.column}
        visible={columns.map(({ name }) => name)}
        sort={search.sort}
        onSort={(sort) => onSearch({ sort })}
        onFilter={props.onAddFilter}
        onArrange={(names) => props.onColumns(toChosen(names, table.columns))}
      />
    );
  const { row } = menu;
  return (
    <RowMenu
      open={open}
      row={row}
      column={menu.column}
      edits={edits}
      deleted={selected.has(row.id) ? edits.rows.filter(({ id }) => selected.has(id)) : [row]}
      onFilter={(filter) => {
        const filters = search.filters ?? [];
        if (!filters.some((other) => other.join('\u0000') === filter.join('\u0000')))
          onSearch({ filters: [...filters, filter] });
      }}
      onOpen={props.onOpen}
      onDuplicate={props.onDuplicate}
      onDelete={props.onDelete}
    />
  );
}
