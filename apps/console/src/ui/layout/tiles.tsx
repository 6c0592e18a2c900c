import type { ReactNode } from 'react';
import classes from './tiles.module.css';

export interface Tile {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly tone?: 'brick' | undefined;
}

/**
 * A row of figures with labels. The number of figures in a row depends on the width unless `perRow` is set.
 */
export function Tiles({ tiles, perRow }: { tiles: readonly Tile[]; perRow?: 3 }) {
  return (
    <dl className={classes.tiles} data-per-row={perRow}>
      {tiles.map((tile) => (
        <div key={tile.label} className={classes.tile} data-tone={tile.tone}>
          <dt>{tile.label}</dt>
          <dd className={classes.value}>{tile.value}</dd>
          {tile.note === undefined ? null : <dd className={classes.note}>{tile.note}</dd>}
        </div>
      ))}
    </dl>
  );
}
