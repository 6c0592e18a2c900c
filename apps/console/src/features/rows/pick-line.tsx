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

/** The box before a row: of the same row as its cells, but in the strip that stands still sideways. One strip is one layer of the browser; a box that stands still by itself in each row would be one each. */
export const PickLine = memo(function PickLine({ at, isSelected, change, hasFault, onPick }: PickLineProps) {
  return (
    <div className={classes.pickLine} role="row" aria-rowindex={at + 2} aria-selected={isSelected} data-selected={isSelected || undefined} data-change={change} data-fault={hasFault || undefined} style={{ top: at * ROW_HEIGHT }}>
      <div className={classes.pick} role="gridcell" aria-colindex={1}>
        <label>
          <input type="checkbox" tabIndex={-1} checked={isSelected} onChange={onPick} aria-label={`Select row ${at + 1}`} />
        </label>
      </div>
    </div>
  );
});
