import { IconArrowsDiagonal, IconArrowUpRight } from '@tabler/icons-react';
import { type ChangeEvent, memo } from 'react';
import type { RowFault } from '../../../data/rows/apply-changes.js';
import { kindOf } from '../../../data/rows/column-kinds.js';
import { describeReference, type ColumnView } from '../../../data/schema/read-tables.js';
import type { EditEnd } from './cell-input.js';
import { lazyPart } from '../../../ui/loading/lazy-part.js';
import { describeCell } from './describe-cell.js';
import { HEADER_HEIGHT, ROW_HEIGHT } from './grid-geometry.js';
import type { GridRow } from './grid-row.js';
import classes from '../rows.module.css';
import type { ShownColumns } from '../use-persisted-columns.js';
import type { StagedChange } from '../changes/staged-changes.js';

/** No cell is edited at first, but the first key may start an edit. */
const CellInput = lazyPart(() => import('./cell-input.js').then((module) => module.CellInput), null, true);

interface PickLineProps {
  readonly index: number;
  readonly isSelected: boolean;
  readonly change: 'insert' | 'delete' | undefined;
  readonly hasFault: boolean;
  /** Whether the row can be opened next to the grid, which needs a key. */
  readonly canOpen: boolean;
  readonly onPick: (event: ChangeEvent<HTMLInputElement>) => void;
}

/**
 * The checkbox of a row, and the button that opens it. For screen readers, they are part of the row with the cells. The checkboxes of all rows
 * are in one strip that does not scroll sideways. The strip is a single layer of the browser, whereas a fixed
 * checkbox in each row would need one layer for each row.
 */
export const PickLine = memo(function PickLine({
  index,
  isSelected,
  change,
  hasFault,
  canOpen,
  onPick,
}: PickLineProps) {
  return (
    <div
      className={classes.pickLine}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-selected={isSelected || undefined}
      data-change={change}
      data-fault={hasFault || undefined}
      style={{ top: index * ROW_HEIGHT }}
    >
      <div className={classes.pick} role="gridcell" aria-colindex={1}>
        <label>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={isSelected}
            onChange={onPick}
            aria-label={`Select row ${index + 1}`}
          />
        </label>
        {canOpen ? (
          <button
            type="button"
            tabIndex={-1}
            className={classes.open}
            data-open-row
            aria-label={`Open row ${index + 1}`}
            title="Open row"
          >
            <IconArrowsDiagonal size={13} aria-hidden />
          </button>
        ) : null}
      </div>
    </div>
  );
});

/** The cell that is being edited, and what happens with the input. */
export interface CellEdit {
  /** The id of the row with the cell. The input belongs to this row even if the row's position changes. */
  readonly rowId: string;
  /** The character with which the user started typing. Null if the user edits the existing value. */
  readonly typed: string | null;
  readonly onCommit: (value: unknown, end: EditEnd) => void;
  readonly onCancel: () => void;
}

interface GridLineProps {
  readonly row: GridRow;
  readonly index: number;
  readonly visible: ShownColumns;
  /** The column of the active cell if it is in this row, otherwise -1. */
  readonly activeColumn: number;
  /** If the row is in the selected block, the range of its selected columns, without the end. */
  readonly blockFrom: number;
  readonly blockTo: number;
  /** The edit of the active cell. */
  readonly edit: CellEdit | null;
  readonly isSelected: boolean;
  readonly change: StagedChange | undefined;
  readonly fault: RowFault | undefined;
  readonly readCell: (row: GridRow, column: ColumnView) => unknown;
}

export const cellId = (index: number, column: number): string => `cell-${index}-${column}`;

/**
 * One row of the grid. Only its visible cells are rendered. The grid handles pointer events, and the row's
 * checkbox is a {@link PickLine}.
 */
export const GridLine = memo(function GridLine({
  row,
  index: position,
  visible,
  activeColumn,
  blockFrom,
  blockTo,
  edit,
  isSelected,
  change,
  fault,
  readCell,
}: GridLineProps) {
  const changed = change?.kind === 'update' ? change.values : null;
  return (
    <div
      className={classes.row}
      role="row"
      aria-rowindex={position + 2}
      aria-selected={isSelected}
      data-selected={isSelected || undefined}
      data-change={nameChange(change)}
      data-editing={edit !== null || undefined}
      style={{ top: HEADER_HEIGHT + position * ROW_HEIGHT }}
    >
      <div
        className={classes.cells}
        role="presentation"
        style={{ marginLeft: visible.offset, width: visible.breadth }}
      >
        {visible.list.map(({ column, index, width }) => (
          <GridCell
            key={column.name}
            column={column}
            index={index}
            width={width}
            value={readCell(row, column)}
            isChanged={changed !== null && column.name in changed}
            fault={fault?.columns[column.name]}
            activeId={index === activeColumn ? cellId(position, index) : undefined}
            isInBlock={index >= blockFrom && index < blockTo}
            edit={index === activeColumn ? edit : null}
          />
        ))}
      </div>
    </div>
  );
});

/** Returns how the whole row is marked: as new, as deleted, or not. Changed cells are marked separately. */
export function nameChange(change: StagedChange | undefined): 'insert' | 'delete' | undefined {
  return change === undefined || change.kind === 'update' ? undefined : change.kind;
}

interface GridCellProps {
  readonly column: ColumnView;
  readonly index: number;
  readonly width: number;
  readonly value: unknown;
  /** The id of the active cell's element, which the grid refers to for screen readers. */
  readonly activeId: string | undefined;
  readonly isInBlock: boolean;
  readonly isChanged: boolean;
  readonly fault: string | undefined;
  readonly edit: CellEdit | null;
}

/**
 * One cell of a row. The component is memoized, so when the row gets another column, only that column is
 * rendered.
 */
const GridCell = memo(function GridCell({
  column,
  index,
  width,
  value,
  activeId,
  isInBlock,
  isChanged,
  fault,
  edit,
}: GridCellProps) {
  const { tone, text, size } = describeCell(column, value);
  const link = value === null || value === undefined ? null : column.references;
  const isRich = size !== null || link !== null || tone === 'unread' || edit !== null;
  return (
    <div
      id={activeId}
      role="gridcell"
      aria-colindex={index + 2}
      aria-invalid={fault === undefined ? undefined : true}
      title={fault}
      style={{ width }}
      className={nameClasses(tone, isRich, kindOf(column) === 'number')}
      data-active={activeId !== undefined || undefined}
      aria-selected={isInBlock || undefined}
      data-editing={edit !== null || undefined}
      data-changed={isChanged || undefined}
      data-fault={fault !== undefined || undefined}
    >
      {edit !== null ? (
        <CellInput
          key={edit.rowId}
          column={column}
          value={value}
          typed={edit.typed}
          onCommit={edit.onCommit}
          onCancel={edit.onCancel}
        />
      ) : !isRich ? (
        text
      ) : (
        <>
          <span
            className={tone === 'unread' ? classes.shimmer : classes.text}
            aria-hidden={tone === 'unread' || undefined}
          >
            {text}
          </span>
          {size === null ? null : <span className={classes.size}>{size}</span>}
          {link === null ? null : (
            <span
              className={classes.follow}
              data-follow
              title={`Go to ${describeReference(link)}`}
              aria-hidden="true"
            >
              <IconArrowUpRight size={13} />
            </span>
          )}
        </>
      )}
    </div>
  );
});

/**
 * Returns the class names of a cell. A plain text is a single text node. A value with several parts needs
 * several elements in a row.
 */
function nameClasses(tone: string, isRich: boolean, isNumber: boolean): string {
  return [
    classes.cell,
    tone === 'mono' || tone === 'quiet' ? classes[tone] : '',
    isRich ? classes.rich : '',
    isNumber ? classes.end : '',
  ]
    .filter((name) => name !== '')
    .join(' ');
}
