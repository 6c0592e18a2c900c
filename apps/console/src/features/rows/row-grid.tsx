import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent, type ReactNode } from 'react';
import { UNREAD } from '../../data/rows/cell-text.js';
import { isCutShort, kindOf } from '../../data/rows/column-kinds.js';
import type { ColumnView } from '../../data/schema/read-tables.js';
import type { EditEnd } from './cell-input.js';
import { GridHeader } from './grid-header.js';
import { cellId, GridLine } from './grid-line.js';
import type { GridRow } from './grid-row.js';
import { moveActive, type CellPlace } from './move-active.js';
import classes from './rows.module.css';
import { findChange, type Staged } from './staged-changes.js';

const ROW_HEIGHT = 33;
const HEADER_HEIGHT = 46;
const PICK_WIDTH = 44;
/** Rows before the end at which the next page is asked for. */
const AHEAD_ROWS = 40;

export interface RowGridProps {
  readonly label: string;
  readonly columns: readonly ColumnView[];
  readonly keys: readonly string[];
  readonly widths: readonly number[];
  readonly rows: readonly GridRow[];
  readonly staged: Staged;
  readonly sort: string | undefined;
  readonly selected: ReadonlySet<string>;
  readonly isReadOnly: boolean;
  /** Below the last row: what is being read, or how many there are. */
  readonly foot: ReactNode;
  readonly empty: ReactNode;
  readonly readCell: (row: GridRow, column: ColumnView) => unknown;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onSort: (column: ColumnView) => void;
  readonly onResize: (column: ColumnView, width: number) => void;
  readonly onCommit: (row: GridRow, column: ColumnView, value: unknown) => void;
  readonly onPaste: (at: CellPlace, text: string) => void;
  readonly onOpen: (row: GridRow) => void;
  readonly onDelete: (rows: readonly GridRow[]) => void;
  readonly onFollow: (column: ColumnView, value: unknown) => void;
  readonly onCopy: (row: GridRow, column: ColumnView) => void;
  readonly onNearEnd: () => void;
}

/** A grid of any size, of which only what is in view is drawn. All of it can be done by keyboard. */
export function RowGrid(props: RowGridProps) {
  const { columns, rows, staged, widths, selected, onCommit, onSelect } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 });
  const [editing, setEditing] = useState<{ typed: string | null } | null>(null);
  const rowItems = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_HEIGHT, overscan: 10, paddingStart: HEADER_HEIGHT, scrollPaddingStart: HEADER_HEIGHT, paddingEnd: 56 });
  const columnItems = useVirtualizer({ horizontal: true, count: columns.length, getScrollElement: () => scroller.current, estimateSize: (at) => widths[at] ?? 150, overscan: 2, paddingStart: PICK_WIDTH, scrollPaddingStart: PICK_WIDTH });
  useEffect(() => columnItems.measure(), [widths, columnItems]);

  const lines = rowItems.getVirtualItems();
  const last = lines.at(-1)?.index ?? 0;
  const { onNearEnd } = props;
  useEffect(() => {
    if (last >= rows.length - AHEAD_ROWS) onNearEnd();
  }, [last, rows.length, onNearEnd]);

  const goTo = useCallback((place: CellPlace) => {
    setActive(place);
    rowItems.scrollToIndex(place.row);
    columnItems.scrollToIndex(place.column);
  }, [rowItems, columnItems]);
  const focusGrid = (): void => scroller.current?.focus({ preventScroll: true });
  const size = { rows: rows.length, columns: columns.length, pageRows: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / ROW_HEIGHT) - 2) };
  const edit = (place: CellPlace, typed: string | null): void => {
    const [row, column] = [rows[place.row], columns[place.column]];
    if (!row || !column) return;
    if (!canEditInPlace(props, row, column)) return props.onOpen(row);
    setActive(place);
    setEditing({ typed });
  };
  const commit = useCallback((row: GridRow, column: ColumnView, value: unknown, end: EditEnd) => {
    setEditing(null);
    onCommit(row, column, value);
    focusGrid();
    setActive((from) => (end === 'stay' ? from : moveActive(from, { down: 'ArrowDown', right: 'ArrowRight', left: 'ArrowLeft' }[end], false, { rows: rows.length, columns: columns.length, pageRows: 1 }) ?? from));
  }, [onCommit, rows.length, columns.length]);
  const cancel = useCallback(() => {
    setEditing(null);
    focusGrid();
  }, []);
  const pick = useCallback((row: GridRow, isSelected: boolean) => {
    const next = new Set(selected);
    if (isSelected) next.add(row.id);
    else next.delete(row.id);
    onSelect(next);
  }, [selected, onSelect]);
  const point = useCallback((row: number, column: number) => setActive({ row, column }), []);
  const editLatest = useRef(edit);
  editLatest.current = edit;
  const editAt = useCallback((row: number, column: number) => editLatest.current({ row, column }, null), []);

  const onKeyDown = (event: KeyboardEvent): void => {
    const [row, column] = [rows[active.row], columns[active.column]];
    if (editing !== null || !row || !column || event.target !== scroller.current) return;
    const isControl = event.ctrlKey || event.metaKey;
    const to = moveActive(active, event.key, isControl, size);
    if (to !== null) goTo(to);
    else if (!actOnCell(event, isControl, row, column)) return;
    event.preventDefault();
  };
  const actOnCell = (event: KeyboardEvent, isControl: boolean, row: GridRow, column: ColumnView): boolean => {
    const isWritable = canEditInPlace(props, row, column);
    if (isControl && event.key === 'Enter') props.onOpen(row);
    else if (event.key === 'Enter' || event.key === 'F2') edit(active, null);
    else if (event.key === ' ') pick(row, !selected.has(row.id));
    else if (isControl && event.key === 'a') onSelect(new Set(rows.map(({ id }) => id)));
    else if (isControl && event.key === 'c') props.onCopy(row, column);
    else if (isControl && (event.key === 'Delete' || event.key === 'Backspace')) props.onDelete(selected.size > 0 ? rows.filter(({ id }) => selected.has(id)) : [row]);
    else if (event.key === 'Delete' || event.key === 'Backspace') {
      if (isWritable && column.nullable) onCommit(row, column, null);
    } else if (event.key.length === 1 && !isControl && !event.altKey && isWritable && !['bool', 'enum'].includes(kindOf(column))) edit(active, event.key);
    else return false;
    return true;
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (editing !== null || props.isReadOnly) return;
    event.preventDefault();
    props.onPaste(active, event.clipboardData.getData('text/plain'));
  };
  const shown = columnItems.getVirtualItems();
  const width = columnItems.getTotalSize();
  return (
    <>
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      aria-activedescendant={rows.length > 0 && lines.some((line) => line.index === active.row) ? cellId(active.row, active.column) : undefined}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    >
      <div className={classes.sheet} role="presentation" style={{ height: rowItems.getTotalSize(), width }}>
        <GridHeader columns={columns} shown={shown} width={width} height={HEADER_HEIGHT} keys={props.keys} sort={props.sort} isAllSelected={rows.length > 0 && selected.size === rows.length} onSelectAll={(isAll) => onSelect(isAll ? new Set(rows.map(({ id }) => id)) : new Set())} onSort={props.onSort} onResize={props.onResize} />
        {lines.map((line) => {
          const row = rows[line.index];
          if (row === undefined) return null;
          const isActive = line.index === active.row;
          return (
            <GridLine
              key={row.id} row={row} at={line.index} top={line.start} height={ROW_HEIGHT} width={width} columns={columns} shown={shown}
              activeColumn={isActive ? active.column : -1} editing={isActive ? editing : null} isSelected={selected.has(row.id)} change={findChange(staged, row.id)} fault={staged.faults[row.id]}
              readCell={props.readCell} onPick={pick} onPoint={point} onEdit={editAt} onCommit={commit} onCancel={cancel} onFollow={props.onFollow}
            />
          );
        })}
        {rows.length > 0 ? <div className={classes.foot} role="presentation" style={{ top: HEADER_HEIGHT + rows.length * ROW_HEIGHT }}>{props.foot}</div> : null}
      </div>
    </div>
    {rows.length === 0 ? <div className={classes.empty}>{props.empty}</div> : null}
    </>
  );
}

/** Long values, documents and bytes are edited beside the grid, where there is room for them. */
function canEditInPlace({ isReadOnly, staged, readCell }: RowGridProps, row: GridRow, column: ColumnView): boolean {
  if (isReadOnly || column.isGenerated || (row.path === null && !row.isNew) || findChange(staged, row.id)?.kind === 'delete') return false;
  const value = readCell(row, column);
  if (value === UNREAD || (typeof value === 'object' && value !== null && kindOf(column) !== 'set')) return false;
  return kindOf(column) !== 'json' && kindOf(column) !== 'binary' && !(isCutShort(column) && typeof value === 'string' && value.includes('\n'));
}
