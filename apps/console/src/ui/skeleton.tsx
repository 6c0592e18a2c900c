import classes from './skeleton.module.css';

interface SkeletonProps {
  /** In pixels: as high as what it stands for, so that nothing moves when that comes. */
  readonly height: number;
  /** In pixels, or a part of the place. */
  readonly width?: number | `${number}%`;
}

/** A bar in the place of what is being fetched. It stands still: a pulse would be a layer of its own to draw for each of them, just while a phone has most to do. */
export function Skeleton({ height, width = '100%' }: SkeletonProps) {
  return <div className={classes.bar} style={{ height, width }} />;
}
