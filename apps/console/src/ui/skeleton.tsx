import classes from './skeleton.module.css';

interface SkeletonProps {
  /** The height in pixels, equal to the final content, so that nothing moves. */
  readonly height: number;
  /** The width in pixels or percent. */
  readonly width?: number | `${number}%`;
}

/**
 * A placeholder bar while data is loading. It is not animated, because each animation needs a layer while a
 * phone is busiest.
 */
export function Skeleton({ height, width = '100%' }: SkeletonProps) {
  return <div className={classes.bar} style={{ height, width }} />;
}
