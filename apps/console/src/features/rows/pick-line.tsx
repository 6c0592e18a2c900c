import { memo, type ChangeEvent } from 'react';
import { ROW_HEIGHT } from './grid-geometry.js';
import classes from './rows.module.css';

interface PickLineProps {
  readonly at: number;
  readonly isSelected: boolean;
  readonly change: 'insert' | 'delete' | undefined;
  readonly hasFault: boolean;
  readonly onPick: (event: ChangeEvent<HTMLInputElement>) => void;
}

/**
 * The checkbox of a row. It belongs to the same row as the cells, but is in a strip that does not scroll
 * sideways. One strip is one layer in the browser. A fixed checkbox in each row would need a layer per row.
 */
export const PickLine = memo(function PickLine({
  at: index,
  isSelected,
  change,
  hasFault,
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
      </div>
    </div>
  );
});
