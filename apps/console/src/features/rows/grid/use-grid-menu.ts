import { useState, type MouseEvent } from 'react';
import type { ColumnView } from '../../../data/schema/read-tables.js';
import type { MenuPoint } from '../../../ui/controls/context-menu.js';
import { readRowIndex, type CellPosition } from './cell-position.js';
import { cellId } from './grid-line.js';
import type { GridRow } from './grid-row.js';

/** The open context menu of the grid. The column is null for the menu of a row's checkbox. */
export type GridMenu =
  | {
      readonly kind: 'row';
      readonly row: GridRow;
      readonly column: ColumnView | null;
      readonly point: MenuPoint;
    }
  | { readonly kind: 'column'; readonly column: ColumnView; readonly point: MenuPoint };

interface MenuSources {
  readonly columns: readonly ColumnView[];
  readonly rows: readonly GridRow[];
  readonly scroller: { readonly current: HTMLDivElement | null };
}

/** Manages the context menus of the grid, which a pointer, a key or the button in a header opens. */
export function useGridMenu({ columns, rows, scroller }: MenuSources) {
  const [menu, setMenu] = useState<GridMenu | null>(null);
  const openRow = (row: GridRow | undefined, column: ColumnView | undefined, point: MenuPoint): boolean => {
    // The menu of a checkbox has no items for a row without a key.
    const hasItems = row !== undefined && (column !== undefined || row.path !== null || row.isNew);
    if (hasItems) setMenu({ kind: 'row', row, column: column ?? null, point });
    return hasItems;
  };
  const openColumn = (column: ColumnView | undefined, point: MenuPoint): boolean => {
    if (column !== undefined) setMenu({ kind: 'column', column, point });
    return column !== undefined;
  };
  /** Opens the menu for an element of the grid. Returns false if the element has no menu. */
  const openFor = (target: EventTarget, point: MenuPoint): boolean => {
    const part =
      target instanceof Element ? target.closest('[role="gridcell"], [role="columnheader"]') : null;
    if (part === null) return false;
    const column = columns[Number(part.getAttribute('aria-colindex')) - 2];
    return part.getAttribute('role') === 'columnheader'
      ? openColumn(column, point)
      : openRow(rows[readRowIndex(part)], column, point);
  };
  /** Opens a menu below the active cell. */
  const openAtCell = (kind: GridMenu['kind'], { row, column }: CellPosition): void => {
    const point = findBelow(document.getElementById(cellId(row, column)) ?? scroller.current);
    if (kind === 'row') openRow(rows[row], columns[column], point);
    else openColumn(columns[column], point);
  };
  /** Opens the menu of the header whose button was pressed. Returns whether it was such a button. */
  const openByButton = ({ target }: MouseEvent): boolean => {
    const button = target instanceof Element ? target.closest('[data-column-menu]') : null;
    return button !== null && openFor(button, findBelow(button));
  };
  return { menu, openFor, openAtCell, openByButton, openColumn, closeMenu: () => setMenu(null) };
}

function findBelow(element: Element | null): MenuPoint {
  const box = element?.getBoundingClientRect();
  return { x: box?.left ?? 0, y: (box?.bottom ?? 0) + 2 };
}
