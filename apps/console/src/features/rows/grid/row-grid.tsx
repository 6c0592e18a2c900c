import { useCallback, useEffect, useMemo, useRef, type ChangeEvent } from 'react';
import { listDrawnRows, PICK_WIDTH, ROW_HEIGHT } from './grid-geometry.js';
import { GridHeader } from './grid-header.js';
import { cellId, GridLine, nameChange, PickLine } from './grid-line.js';
import { readRowIndex } from './cell-position.js';
import classes from '../rows.module.css';
import { listShownColumns } from '../use-persisted-columns.js';
import { useGridActions, type RowGridProps } from './use-grid-actions.js';
import { useGridWindow } from './use-grid-window.js';

/** The next page is loaded when the visible rows are at most this many rows before the end. */
const AHEAD_ROWS = 40;

/**
 * A grid that renders only its visible part, so it can have any size. Each action is available by keyboard.
 * The header, the checkboxes and the corner between them stay fixed while the rest scrolls.
 */
export function RowGrid(props: RowGridProps) {
  const { columns, rows, staged, widths, selected, onSelect, onNearEnd } = props;
  const view = useGridWindow(widths);
  const actions = useGridActions(props, view);
  const { active, block } = actions;
  const visible = useMemo(
    () => listShownColumns(columns, widths, view.starts, view.columns),
    [columns, widths, view.starts, view.columns],
  );
  const changes = useMemo(() => new Map(staged.changes.map((change) => [change.id, change])), [staged]);
  const { from } = view.rows;
  const to = Math.min(view.rows.to, rows.length);
  const drawn = listDrawnRows(view.rows, view.first, rows.length).flatMap(({ slot, index }) => {
    const row = rows[index];
    return row === undefined ? [] : [{ slot, index, row }];
  });
  useEffect(() => {
    if (to >= rows.length - AHEAD_ROWS) onNearEnd();
  }, [to, rows.length, onNearEnd]);

  const selectAll = useCallback(
    (isAll: boolean) => onSelect(isAll ? new Set(rows.map(({ id }) => id)) : new Set()),
    [rows, onSelect],
  );
  const pickLatest = useRef(actions.pick);
  pickLatest.current = actions.pick;
  const rowsLatest = useRef(rows);
  rowsLatest.current = rows;
  const onPick = useCallback(
    (event: ChangeEvent<HTMLInputElement>) =>
      pickLatest.current(rowsLatest.current[readRowIndex(event.currentTarget)], event.currentTarget.checked),
    [],
  );
  return (
    <>
      <div
        ref={view.scroller}
        className={classes.scroller}
        role="grid"
        tabIndex={0}
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-activedescendant={
          active.row >= from && active.row < to && visible.list.some(({ index }) => index === active.column)
            ? cellId(active.row, active.column)
            : undefined
        }
        onKeyDown={actions.onKeyDown}
        onContextMenu={actions.onContextMenu}
        onPaste={actions.onPaste}
      >
        <div
          className={classes.sheet}
          role="presentation"
          style={{ width: PICK_WIDTH + (view.starts.at(-1) ?? 0) }}
          {...actions.pointer}
        >
          <GridHeader
            visible={visible}
            keys={props.keys}
            sort={props.sort}
            isAllSelected={rows.length > 0 && selected.size === rows.length}
            onSelectAll={selectAll}
            onSort={props.onSort}
            onResize={props.onResize}
          />
          {rows.length === 0 ? null : (
            <>
              <div role="rowgroup">
                {drawn.map(({ slot, index, row }) => {
                  const isActive = index === active.row;
                  const isInBlock = block !== null && index >= block.rows.from && index < block.rows.to;
                  return (
                    <GridLine
                      key={slot}
                      row={row}
                      index={index}
                      visible={visible}
                      activeColumn={isActive ? active.column : -1}
                      blockFrom={isInBlock ? block.columns.from : -1}
                      blockTo={isInBlock ? block.columns.to : -1}
                      edit={isActive ? actions.edit : null}
                      isSelected={selected.has(row.id)}
                      change={changes.get(row.id)}
                      fault={staged.faults[row.id]}
                      readCell={props.readCell}
                    />
                  );
                })}
              </div>
              <div role="rowgroup" className={classes.gutter} style={{ height: rows.length * ROW_HEIGHT }}>
                {drawn.map(({ slot, index, row }) => (
                  <PickLine
                    key={slot}
                    index={index}
                    isSelected={selected.has(row.id)}
                    change={nameChange(changes.get(row.id))}
                    hasFault={staged.faults[row.id] !== undefined}
                    canOpen={row.path !== null || row.isNew}
                    onPick={onPick}
                  />
                ))}
              </div>
              <div className={classes.foot} role="presentation">
                {props.foot}
              </div>
            </>
          )}
        </div>
      </div>
      {rows.length === 0 ? <div className={classes.empty}>{props.empty}</div> : null}
      {actions.openMenu === null ? null : props.renderMenu(actions.openMenu)}
    </>
  );
}
