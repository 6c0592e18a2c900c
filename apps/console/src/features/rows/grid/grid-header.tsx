import { IconArrowDown, IconArrowUp, IconChevronDown, IconKey, IconLink } from '@tabler/icons-react';
import { memo, type PointerEvent } from 'react';
import { describeType } from '../../../data/rows/column-kinds.js';
import { readSort } from '../../../data/rows/parameter-names.js';
import type { ColumnView } from '../../../data/schema/read-tables.js';
import { WIDTH_MIN } from './grid-geometry.js';
import classes from '../rows.module.css';
import type { ShownColumns } from '../use-persisted-columns.js';

interface GridHeaderProps {
  readonly visible: ShownColumns;
  readonly keys: readonly string[];
  /** The sort order in the format of the data API. */
  readonly sort: string | undefined;
  readonly isAllSelected: boolean;
  readonly onSelectAll: (isSelected: boolean) => void;
  readonly onSort: (column: ColumnView) => void;
  readonly onResize: (column: ColumnView, width: number) => void;
}

/**
 * The header with the names of the columns. Selecting a name sorts by this column, and dragging its right
 * edge changes the width.
 */
export const GridHeader = memo(function GridHeader({
  visible,
  keys,
  sort,
  isAllSelected,
  onSelectAll,
  onSort,
  onResize,
}: GridHeaderProps) {
  return (
    <div className={classes.header} role="row" aria-rowindex={1}>
      <div className={classes.corner} role="columnheader" aria-colindex={1}>
        <label>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={isAllSelected}
            onChange={(event) => onSelectAll(event.currentTarget.checked)}
            aria-label="Select all loaded rows"
          />
        </label>
      </div>
      <div
        className={classes.cells}
        role="presentation"
        style={{ marginLeft: visible.offset, width: visible.breadth }}
      >
        {visible.list.map(({ column, index, width }) => {
          const direction = directionOf(sort, column.name);
          return (
            <div
              key={column.name}
              className={classes.column}
              role="columnheader"
              aria-colindex={index + 2}
              aria-sort={direction === null ? undefined : direction}
              style={{ width }}
            >
              <button
                type="button"
                tabIndex={-1}
                className={classes.columnButton}
                onClick={() => onSort(column)}
                title={`Sort by ${column.name}`}
              >
                <span className={classes.columnName}>
                  {keys.includes(column.name) ? (
                    <IconKey size={12} aria-hidden />
                  ) : column.references === null ? null : (
                    <IconLink size={12} aria-hidden />
                  )}
                  <span>{column.name}</span>
                  {direction === 'ascending' ? (
                    <IconArrowUp size={13} aria-hidden />
                  ) : direction === 'descending' ? (
                    <IconArrowDown size={13} aria-hidden />
                  ) : null}
                </span>
                <span className={classes.columnType}>{describeType(column)}</span>
              </button>
              <button
                type="button"
                tabIndex={-1}
                className={classes.columnMenu}
                data-column-menu
                aria-haspopup="menu"
                aria-label={`Menu for ${column.name}`}
              >
                <IconChevronDown size={14} aria-hidden />
              </button>
              <span
                className={classes.resizer}
                aria-hidden="true"
                onPointerDown={(event) => drag(event, width, (next) => onResize(column, next))}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
});

/** Returns the direction in which `sort` orders this column, or null if it does not. */
export function directionOf(sort: string | undefined, name: string): 'ascending' | 'descending' | null {
  const term = readSort(sort).find(({ column }) => column === name);
  return term === undefined ? null : term.isDescending ? 'descending' : 'ascending';
}

function drag(event: PointerEvent<HTMLElement>, from: number, onMove: (width: number) => void): void {
  event.preventDefault();
  const startX = event.clientX;
  const handle = event.currentTarget;
  const move = (moved: globalThis.PointerEvent): void =>
    onMove(Math.max(WIDTH_MIN, Math.round(from + moved.clientX - startX)));
  const end = (): void => {
    handle.removeEventListener('pointermove', move);
    handle.removeEventListener('pointerup', end);
  };
  handle.setPointerCapture(event.pointerId);
  handle.addEventListener('pointermove', move);
  handle.addEventListener('pointerup', end);
}
