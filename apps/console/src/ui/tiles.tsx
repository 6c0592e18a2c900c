import type { ReactNode } from 'react';
import classes from './tiles.module.css';

export interface Tile {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly tone?: 'brick' | undefined;
}

/** A few figures at a glance. */
export function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <dl className={classes.tiles}>
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
