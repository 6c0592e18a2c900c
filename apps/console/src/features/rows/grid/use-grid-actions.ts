import {
  useEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { UNREAD } from '../../../data/rows/cell-text.js';
import { isCutShort, kindOf } from '../../../data/rows/column-kinds.js';
import type { ColumnView } from '../../../data/schema/read-tables.js';
import type { EditEnd } from './cell-input.js';
import { isInView, ROW_HEIGHT, WIDTH_MIN } from './grid-geometry.js';
import type { CellEdit } from './grid-line.js';
import type { GridRow } from './grid-row.js';
import { moveActive, type CellPosition, readCellPosition, readRowIndex } from './cell-position.js';
import { findChange, type Staged } from '../changes/staged-changes.js';
import type { GridWindow } from './use-grid-window.js';
import { spanBlock, type CellBlock } from './cell-block.js';
import { useGridMenu, type GridMenu } from './use-grid-menu.js';

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
  /** Content that is shown below the last row: the loading state or the number of rows. */
  readonly foot: ReactNode;
  readonly empty: ReactNode;
  readonly readCell: (row: GridRow, column: ColumnView) => unknown;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onSort: (column: ColumnView) => void;
  readonly onResize: (column: ColumnView, width: number) => void;
  readonly onCommit: (row: GridRow, column: ColumnView, value: unknown) => void;
  readonly onPaste: (cell: CellPosition, text: string) => void;
  readonly onOpen: (row: GridRow) => void;
  readonly onDelete: (rows: readonly GridRow[]) => void;
  readonly onFollow: (column: ColumnView, value: unknown) => void;
  readonly onCopy: (rows: readonly GridRow[], columns: readonly ColumnView[]) => void;
  readonly onNearEnd: () => void;
  readonly renderMenu: (menu: OpenGridMenu) => ReactNode;
}

/** An open context menu, and the actions that need the state of the grid. */
export interface OpenGridMenu {
  readonly menu: GridMenu;
  /** The number of cells that are copied: the selected block, or the cell with the menu. */
  readonly copyCount: number;
  readonly isWritable: boolean;
  readonly onCopy: () => void;
  readonly onEdit: () => void;
  readonly onColumnMenu: (column: ColumnView) => void;
  readonly onClose: (restoresFocus: boolean) => void;
}

interface ActiveCell {
  readonly active: CellPosition;
  /** The selected block, with the active cell at one corner. Null without a selection. */
  readonly block: CellBlock | null;
  /** The cells that are copied or pasted over: the selected block, or the active cell. */
  readonly marked: CellBlock;
  /**
   * Moves to a cell. With `isWider`, all cells between this cell and the start of the selection are selected.
   */
  readonly activate: (cell: CellPosition, isWider?: boolean) => void;
  readonly leaveBlock: () => void;
}

/** The number of pixels by which Alt and an arrow key resize a column. */
const WIDTH_STEP = 20;
const KEY_MOVES: Readonly<Record<Exclude<EditEnd, 'stay'>, string>> = {
  down: 'ArrowDown',
  right: 'ArrowRight',
  left: 'ArrowLeft',
};

/** Manages the active cell, its editing, and the actions of keys, pointer and clipboard in the grid. */
export function useGridActions(props: RowGridProps, view: GridWindow) {
  const { columns, rows, widths, selected, onCommit, onSelect } = props;
  const { active, block, marked, activate, leaveBlock } = useActiveCell();
  const [typed, setTyped] = useState<{ readonly text: string | null } | null>(null);
  /**
   * Whether a cell is being edited. A ref is used because it changes at once, whereas the state changes only
   * with the next render.
   */
  const isEditing = useRef(false);
  const size = {
    rows: rows.length,
    columns: columns.length,
    pageRows: Math.max(1, Math.floor(view.height / ROW_HEIGHT) - 2),
  };
  const cellAt = ({ row, column }: CellPosition): readonly [GridRow | undefined, ColumnView | undefined] => [
    rows[row],
    columns[column],
  ];
  const focusGrid = (): void => view.scroller.current?.focus({ preventScroll: true });

  const goTo = (cell: CellPosition, isWider = false): void => {
    activate(cell, isWider);
    view.reveal(cell);
  };
  const beginEdit = (cell: CellPosition, text: string | null): void => {
    const [row, column] = cellAt(cell);
    if (!row || !column) return;
    if (!canEditInPlace(props, row, column)) return props.onOpen(row);
    activate(cell);
    setTyped({ text });
    isEditing.current = true;
  };
  const endEdit = (): void => {
    isEditing.current = false;
    setTyped(null);
    focusGrid();
  };
  const edit: CellEdit | null =
    typed === null
      ? null
      : {
          rowId: rows[active.row]?.id ?? '',
          typed: typed.text,
          onCancel: endEdit,
          onCommit: (value, end) => {
            const [row, column] = cellAt(active);
            endEdit();
            if (row && column) onCommit(row, column, value);
            if (end !== 'stay') goTo(moveActive(active, KEY_MOVES[end], false, size) ?? active);
          },
        };
  useLeaveUnseen(view, typed === null ? null : active, focusGrid);
  const pick = (row: GridRow | undefined, isSelected: boolean): void => {
    if (row === undefined) return;
    const next = new Set(selected);
    if (isSelected) next.add(row.id);
    else next.delete(row.id);
    onSelect(next);
  };
  const menus = useGridMenu({ columns, rows, scroller: view.scroller });
  const copyMarked = (): void =>
    props.onCopy(
      rows.slice(marked.rows.from, marked.rows.to),
      columns.slice(marked.columns.from, marked.columns.to),
    );
  const actOnCell = (event: KeyboardEvent, isControl: boolean, row: GridRow, column: ColumnView): boolean => {
    const isWritable = canEditInPlace(props, row, column);
    const isDelete = event.key === 'Delete' || event.key === 'Backspace';
    if (isControl && event.key === 'Enter') props.onOpen(row);
    else if (event.key === 'Enter' || event.key === 'F2') beginEdit(active, null);
    else if (event.key === ' ') pick(row, !selected.has(row.id));
    else if (isControl && event.key === 'a') onSelect(new Set(rows.map(({ id }) => id)));
    else if (isControl && event.key === 'c') copyMarked();
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))
      menus.openAtCell('row', active);
    else if (event.key === 'Escape' && block !== null) leaveBlock();
    else if (isControl && isDelete)
      props.onDelete(selected.size > 0 ? rows.filter(({ id }) => selected.has(id)) : [row]);
    else if (isDelete) {
      if (isWritable && column.nullable) onCommit(row, column, null);
    } else if (
      event.key.length === 1 &&
      !isControl &&
      !event.altKey &&
      isWritable &&
      !['bool', 'enum'].includes(kindOf(column))
    )
      beginEdit(active, event.key);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const [row, column] = cellAt(active);
    if (isEditing.current || !row || !column || event.target !== view.scroller.current) return;
    const isControl = event.ctrlKey || event.metaKey;
    if (event.altKey && event.key === 'ArrowDown') {
      menus.openAtCell('column', active);
      return event.preventDefault();
    }
    const wider = event.altKey ? { ArrowLeft: -WIDTH_STEP, ArrowRight: WIDTH_STEP }[event.key] : undefined;
    const to = wider === undefined ? moveActive(active, event.key, isControl, size) : null;
    if (wider !== undefined)
      props.onResize(column, Math.max(WIDTH_MIN, (widths[active.column] ?? 0) + wider));
    else if (to !== null) goTo(to, event.shiftKey);
    else if (!actOnCell(event, isControl, row, column)) return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (isEditing.current || props.isReadOnly) return;
    event.preventDefault();
    props.onPaste(
      { row: marked.rows.from, column: marked.columns.from },
      event.clipboardData.getData('text/plain'),
    );
  };
  const pointAt = (event: MouseEvent, cell: CellPosition): void => {
    activate(cell, event.shiftKey);
    if (!event.shiftKey) return;
    // Stops the browser from selecting the text between the two cells.
    event.preventDefault();
    focusGrid();
  };
  const onMouseDown = (event: MouseEvent): void => {
    const cell = readCellPosition(event.target);
    if (cell === null || (isEditing.current && isSameLocation(cell, active))) return;
    // The menu of a selected block acts on the whole block.
    if (event.button !== 0 && block !== null && isInBlock(marked, cell)) return;
    // Leaving the edited cell keeps its input. If the input is invalid, the cell stays in edit mode.
    if (isEditing.current) focusGrid();
    if (!isEditing.current) return pointAt(event, cell);
    event.preventDefault();
    view.scroller.current
      ?.querySelector<HTMLElement>('[data-editing] :is(input:not([type="checkbox"]), select)')
      ?.focus();
  };
  const onDoubleClick = (event: MouseEvent): void => {
    const cell = readCellPosition(event.target);
    if (cell !== null && !isEditing.current) beginEdit(cell, null);
  };
  const onContextMenu = (event: MouseEvent): void => {
    if (isEditing.current) return;
    // A key opens the menu on the grid itself, and a pointer opens it on a part of the grid.
    const isOpened =
      event.target === view.scroller.current
        ? rows.length > 0
        : menus.openFor(event.target, { x: event.clientX, y: event.clientY });
    if (event.target === view.scroller.current) menus.openAtCell('row', active);
    if (isOpened) event.preventDefault();
  };
  const onClick = (event: MouseEvent): void => {
    if (menus.openByButton(event)) return;
    if (event.target instanceof Element && event.target.closest('[data-open-row]') !== null) {
      const opened = rows[readRowIndex(event.target)];
      if (opened !== undefined) props.onOpen(opened);
      return;
    }
    const cell =
      event.target instanceof Element && event.target.closest('[data-follow]') !== null
        ? readCellPosition(event.target)
        : null;
    const [row, column] = cell === null ? [] : cellAt(cell);
    if (row && column) props.onFollow(column, props.readCell(row, column));
  };
  const openMenu = ((): OpenGridMenu | null => {
    const { menu } = menus;
    if (menu === null) return null;
    const hasBlock = block !== null;
    return {
      menu,
      copyCount: hasBlock ? countCells(marked) : 1,
      isWritable: menu.kind === 'row' && menu.column !== null && isWritableCell(props, menu.row, menu.column),
      onCopy: copyMarked,
      onEdit: () => {
        if (menu.kind === 'row' && menu.column !== null)
          beginEdit({ row: rows.indexOf(menu.row), column: columns.indexOf(menu.column) }, null);
      },
      onColumnMenu: (column) => menus.openColumn(column, menu.point),
      onClose: (restoresFocus) => {
        menus.closeMenu();
        if (restoresFocus) focusGrid();
      },
    };
  })();
  return {
    active,
    block,
    edit,
    openMenu,
    pick,
    onKeyDown,
    onContextMenu,
    pointer: { onMouseDown, onDoubleClick, onClick },
    onPaste,
  };
}

function isInBlock({ rows, columns }: CellBlock, { row, column }: CellPosition): boolean {
  return row >= rows.from && row < rows.to && column >= columns.from && column < columns.to;
}

function countCells({ rows, columns }: CellBlock): number {
  return (rows.to - rows.from) * (columns.to - columns.from);
}

/**
 * Ends the edit of a cell when it scrolls out of view. The input is kept before the row's element is removed.
 */
function useLeaveUnseen(
  { scroller, starts }: GridWindow,
  edited: CellPosition | null,
  leave: () => void,
): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null || edited === null) return undefined;
    const onScroll = (): void => {
      if (!isInView(element, starts, edited)) leave();
    };
    element.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => element.removeEventListener('scroll', onScroll, { capture: true });
  });
}

function isSameLocation(cellPosition: CellPosition, other: CellPosition): boolean {
  return cellPosition.row === other.row && cellPosition.column === other.column;
}

/**
 * Returns whether a cell can be edited in the grid. Long texts, JSON and bytes are edited next to the grid,
 * where there is more space.
 */
function canEditInPlace(props: RowGridProps, row: GridRow, column: ColumnView): boolean {
  if (!isWritableCell(props, row, column)) return false;
  const value = props.readCell(row, column);
  if (value === UNREAD || (typeof value === 'object' && value !== null && kindOf(column) !== 'set'))
    return false;
  return (
    kindOf(column) !== 'json' &&
    kindOf(column) !== 'binary' &&
    !(isCutShort(column) && typeof value === 'string' && value.includes('\n'))
  );
}

/** Returns whether the value of a cell can be changed, in the grid or next to it. */
function isWritableCell(
  { isReadOnly, staged }: Pick<RowGridProps, 'isReadOnly' | 'staged'>,
  row: GridRow,
  column: ColumnView,
): boolean {
  return (
    !isReadOnly &&
    !column.isGenerated &&
    (row.path !== null || row.isNew) &&
    findChange(staged, row.id)?.kind !== 'delete'
  );
}

/** Returns the active cell, and the block that is selected from a corner to this cell. */
export function useActiveCell(): ActiveCell {
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 });
  const [anchor, setAnchor] = useState<CellPosition | null>(null);
  const marked = spanBlock(anchor ?? active, active);
  return {
    active,
    block: anchor === null ? null : marked,
    marked,
    activate: (cell, isWider = false) => {
      setAnchor(isWider ? (anchor ?? active) : null);
      setActive(cell);
    },
    leaveBlock: () => setAnchor(null),
  };
}
