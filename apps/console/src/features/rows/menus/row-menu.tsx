import {
  IconArrowsDiagonal,
  IconCopy,
  IconCopyPlus,
  IconFilter,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import type { ColumnView } from '../../../data/schema/read-tables.js';
import { ContextMenu } from '../../../ui/controls/context-menu.js';
import { DropdownDivider, DropdownItem } from '../../../ui/controls/dropdown.js';
import { formatCountOf } from '../../../ui/formatting/format-number.js';
import type { RowFilter } from '../data-search.js';
import type { GridRow } from '../grid/grid-row.js';
import type { OpenGridMenu } from '../grid/use-grid-actions.js';
import type { RowEdits } from '../changes/use-row-edits.js';
import { filterByValue } from './arrange-columns.js';

interface RowMenuProps {
  readonly open: OpenGridMenu;
  readonly row: GridRow;
  /** The column of the cell with the menu. Null for the menu of a row's checkbox. */
  readonly column: ColumnView | null;
  readonly edits: RowEdits;
  /** The rows that the menu deletes: the selected rows if this row is one of them, otherwise this row. */
  readonly deleted: readonly GridRow[];
  readonly onFilter: (filter: RowFilter) => void;
  readonly onOpen: (row: GridRow) => void;
  readonly onDuplicate: (row: GridRow) => void;
  readonly onDelete: (rows: readonly GridRow[]) => void;
}

/** The context menu of a cell and its row. */
export function RowMenu(props: RowMenuProps) {
  const { open, row, column, edits, deleted } = props;
  const canOpen = row.path !== null || row.isNew;
  return (
    <ContextMenu
      label={column === null ? 'Row actions' : `Actions for ${column.name}`}
      point={open.menu.point}
      onClose={open.onClose}
    >
      {column === null ? null : <CellItems {...props} column={column} />}
      {canOpen ? (
        <DropdownItem icon={<IconArrowsDiagonal size={15} aria-hidden />} onSelect={() => props.onOpen(row)}>
          Open row
        </DropdownItem>
      ) : null}
      {canOpen && !edits.isReadOnly ? (
        <DropdownItem icon={<IconCopyPlus size={15} aria-hidden />} onSelect={() => props.onDuplicate(row)}>
          Duplicate row
        </DropdownItem>
      ) : null}
      {canOpen && edits.canDelete ? (
        <DropdownItem
          tone="brick"
          icon={<IconTrash size={15} aria-hidden />}
          onSelect={() => props.onDelete(deleted)}
        >
          {deleted.length > 1 ? `Delete ${formatCountOf(deleted.length, 'row')}` : 'Delete row'}
        </DropdownItem>
      ) : null}
    </ContextMenu>
  );
}

function CellItems({ open, row, column, edits, onFilter }: RowMenuProps & { readonly column: ColumnView }) {
  const value = edits.readCell(row, column);
  const filter = row.isNew ? null : filterByValue(column, value);
  return (
    <>
      <DropdownItem icon={<IconCopy size={15} aria-hidden />} onSelect={open.onCopy}>
        {open.copyCount > 1 ? `Copy ${formatCountOf(open.copyCount, 'cell')}` : 'Copy value'}
      </DropdownItem>
      {open.isWritable ? (
        <DropdownItem icon={<IconPencil size={15} aria-hidden />} onSelect={open.onEdit}>
          Edit
        </DropdownItem>
      ) : null}
      {open.isWritable && column.nullable && value !== null ? (
        <DropdownItem icon={NO_ICON} onSelect={() => edits.commit(row, column, null)}>
          Set to NULL
        </DropdownItem>
      ) : null}
      {filter === null ? null : (
        <DropdownItem icon={<IconFilter size={15} aria-hidden />} onSelect={() => onFilter(filter)}>
          Filter by this value
        </DropdownItem>
      )}
      <DropdownItem icon={NO_ICON} onSelect={() => open.onColumnMenu(column)}>
        Column options…
      </DropdownItem>
      {row.path !== null || row.isNew ? <DropdownDivider /> : null}
    </>
  );
}

/** Aligns the text of an item without an icon with the other items. */
const NO_ICON = <span aria-hidden style={{ width: 15, flex: 'none' }} />;
