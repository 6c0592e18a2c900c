import { IconArrowUpRight } from '@tabler/icons-react';
import type { VirtualItem } from '@tanstack/react-virtual';
import { memo } from 'react';
import type { RowFault } from '../../data/rows/apply-changes.js';
import { kindOf } from '../../data/rows/column-kinds.js';
import type { ColumnView } from '../../data/schema/read-tables.js';
import { CellInput, type EditEnd } from './cell-input.js';
import { CellView } from './cell-view.js';
import type { GridRow } from './grid-row.js';
import classes from './rows.module.css';
import type { StagedChange } from './staged-changes.js';

export interface GridLineProps {
  readonly row: GridRow;
  readonly at: number;
  readonly top: number;
  readonly height: number;
  readonly width: number;
  readonly columns: readonly ColumnView[];
  readonly shown: readonly VirtualItem[];
  /** Of the active cell where it is in this row, else -1. */
  readonly activeColumn: number;
  readonly editing: { readonly typed: string | null } | null;
  readonly isSelected: boolean;
  readonly change: StagedChange | undefined;
  readonly fault: RowFault | undefined;
  readonly readCell: (row: GridRow, column: ColumnView) => unknown;
  readonly onPick: (row: GridRow, isSelected: boolean) => void;
  readonly onPoint: (at: number, column: number) => void;
  readonly onEdit: (at: number, column: number) => void;
  readonly onCommit: (row: GridRow, column: ColumnView, value: unknown, end: EditEnd) => void;
  readonly onCancel: () => void;
  /** Goes to the record that a cell points at. */
  readonly onFollow: (column: ColumnView, value: unknown) => void;
}

export const cellId = (at: number, column: number): string => `cell-${at}-${column}`;

/** One row of the grid, of which only the cells in view are drawn. */
export const GridLine = memo(function GridLine(props: GridLineProps) {
  const { row, at, top, height, width, columns, shown, change, fault, isSelected } = props;
  return (
    <div className={classes.row} role="row" aria-rowindex={at + 2} aria-selected={isSelected} data-selected={isSelected || undefined} data-change={change?.kind === 'update' ? undefined : change?.kind} data-fault={fault !== undefined || undefined} style={{ transform: `translateY(${top}px)`, height, width }}>
      <div className={classes.pick} role="gridcell" aria-colindex={1}>
        <label>
          <input type="checkbox" tabIndex={-1} checked={isSelected} onChange={(event) => props.onPick(row, event.currentTarget.checked)} aria-label={`Select row ${at + 1}`} />
        </label>
      </div>
      {shown.map((item) => {
        const column = columns[item.index];
        return column === undefined ? null : <GridCell key={column.name} {...props} column={column} item={item} />;
      })}
    </div>
  );
});

function GridCell({ row, at, column, item, activeColumn, editing, change, fault, readCell, onPoint, onEdit, onCommit, onCancel, onFollow }: GridLineProps & { readonly column: ColumnView; readonly item: VirtualItem }) {
  const isActive = activeColumn === item.index;
  const isEditing = isActive && editing !== null;
  const value = readCell(row, column);
  const isChanged = change?.kind === 'update' && column.name in change.values;
  const told = fault?.columns[column.name];
  return (
    <div
      id={cellId(at, item.index)}
      role="gridcell"
      aria-colindex={item.index + 2}
      aria-invalid={told === undefined ? undefined : true}
      title={told}
      className={classes.cell}
      data-align={kindOf(column) === 'number' ? 'end' : undefined}
      data-active={isActive || undefined}
      data-editing={isEditing || undefined}
      data-changed={isChanged || undefined}
      data-fault={told !== undefined || undefined}
      style={{ left: item.start, width: item.size }}
      onMouseDown={isEditing ? undefined : () => onPoint(at, item.index)}
      onDoubleClick={isEditing ? undefined : () => onEdit(at, item.index)}
    >
      {isEditing ? (
        <CellInput column={column} value={value} typed={editing.typed} onCommit={(next, end) => onCommit(row, column, next, end)} onCancel={onCancel} />
      ) : (
        <>
          <CellView column={column} value={value} />
          {column.references !== null && value !== null && value !== undefined ? (
            <span className={classes.follow} title={`Go to ${column.references}`} onClick={() => onFollow(column, value)} aria-hidden="true"><IconArrowUpRight size={13} /></span>
          ) : null}
        </>
      )}
    </div>
  );
}
