import { IconArrowUpRight } from '@tabler/icons-react';
import { memo } from 'react';
import type { RowFault } from '../../data/rows/apply-changes.js';
import { kindOf } from '../../data/rows/column-kinds.js';
import { describeReference, type ColumnView } from '../../data/schema/read-tables.js';
import { CellInput, type EditEnd } from './cell-input.js';
import { describeCell } from './describe-cell.js';
import { HEADER_HEIGHT, ROW_HEIGHT } from './grid-geometry.js';
import type { GridRow } from './grid-row.js';
import classes from './rows.module.css';
import type { ShownColumns } from './shown-columns.js';
import type { StagedChange } from './staged-changes.js';

/** The editing of one cell. */
export interface CellEdit {
  /** Whose cell it is: what was typed belongs to this row, wherever it stands. */
  readonly rowId: string;
  /** What was typed to begin with; null: the value is edited. */
  readonly typed: string | null;
  readonly onCommit: (value: unknown, end: EditEnd) => void;
  readonly onCancel: () => void;
}

interface GridLineProps {
  readonly row: GridRow;
  readonly at: number;
  readonly shown: ShownColumns;
  /** Of the active cell where it is in this row, else -1. */
  readonly activeColumn: number;
  /** Columns of the block of cells that is marked, where the row is in it: from the first up to, and without, the last. */
  readonly blockFrom: number;
  readonly blockTo: number;
  /** Of the active cell. */
  readonly edit: CellEdit | null;
  readonly isSelected: boolean;
  readonly change: StagedChange | undefined;
  readonly fault: RowFault | undefined;
  readonly readCell: (row: GridRow, column: ColumnView) => unknown;
}

export const cellId = (at: number, column: number): string => `cell-${at}-${column}`;

/** One row of the grid, of which only the cells in view are drawn. The pointer is listened to by the grid, not here; the box before it is a {@link PickLine}. */
export const GridLine = memo(function GridLine({ row, at, shown, activeColumn, blockFrom, blockTo, edit, isSelected, change, fault, readCell }: GridLineProps) {
  const changed = change?.kind === 'update' ? change.values : null;
  return (
    <div className={classes.row} role="row" aria-rowindex={at + 2} aria-selected={isSelected} data-selected={isSelected || undefined} data-change={nameChange(change)} data-editing={edit !== null || undefined} style={{ top: HEADER_HEIGHT + at * ROW_HEIGHT }}>
      <div className={classes.cells} role="presentation" style={{ marginLeft: shown.offset, width: shown.breadth }}>
        {shown.list.map(({ column, at: index, width }) => (
          <GridCell
            key={column.name} column={column} index={index} width={width} value={readCell(row, column)} isChanged={changed !== null && column.name in changed} fault={fault?.columns[column.name]}
            activeId={index === activeColumn ? cellId(at, index) : undefined} isInBlock={index >= blockFrom && index < blockTo} edit={index === activeColumn ? edit : null}
          />
        ))}
      </div>
    </div>
  );
});

/** What a row as a whole is marked as; a changed cell is marked itself. */
export function nameChange(change: StagedChange | undefined): 'insert' | 'delete' | undefined {
  return change === undefined || change.kind === 'update' ? undefined : change.kind;
}

interface GridCellProps {
  readonly column: ColumnView;
  readonly index: number;
  readonly width: number;
  readonly value: unknown;
  /** Of the active cell: by this name the grid says which it is. */
  readonly activeId: string | undefined;
  readonly isInBlock: boolean;
  readonly isChanged: boolean;
  readonly fault: string | undefined;
  readonly edit: CellEdit | null;
}

/** Kept as it is while its value is: a row that gets another column draws that one alone. */
const GridCell = memo(function GridCell({ column, index, width, value, activeId, isInBlock, isChanged, fault, edit }: GridCellProps) {
  const { tone, text, size } = describeCell(column, value);
  const link = value === null || value === undefined ? null : column.references;
  const isRich = size !== null || link !== null || tone === 'unread' || edit !== null;
  return (
    <div
      id={activeId} role="gridcell" aria-colindex={index + 2} aria-invalid={fault === undefined ? undefined : true} title={fault} style={{ width }}
      className={nameClasses(tone, isRich, kindOf(column) === 'number')}
      data-active={activeId !== undefined || undefined} aria-selected={isInBlock || undefined} data-editing={edit !== null || undefined} data-changed={isChanged || undefined} data-fault={fault !== undefined || undefined}
    >
      {edit !== null ? <CellInput key={edit.rowId} column={column} value={value} typed={edit.typed} onCommit={edit.onCommit} onCancel={edit.onCancel} /> : !isRich ? text : (
        <>
          <span className={tone === 'unread' ? classes.shimmer : classes.text} aria-hidden={tone === 'unread' || undefined}>{text}</span>
          {size === null ? null : <span className={classes.size}>{size}</span>}
          {link === null ? null : <span className={classes.follow} data-follow title={`Go to ${describeReference(link)}`} aria-hidden="true"><IconArrowUpRight size={13} /></span>}
        </>
      )}
    </div>
  );
});

/** Plain text is laid out as one line of text; what has more parts than that is a row of them. */
function nameClasses(tone: string, isRich: boolean, isNumber: boolean): string {
  return [classes.cell, tone === 'mono' || tone === 'quiet' ? classes[tone] : '', isRich ? classes.rich : '', isNumber ? classes.end : ''].filter((name) => name !== '').join(' ');
}
