import classes from './skeleton.module.css';
import { Awaited } from './render-in-order.js';

interface SkeletonProps {
  /** The height in pixels. It equals the height of the final content, so that nothing moves. */
  readonly height: number;
  /** The width in pixels or percent. */
  readonly width?: number | `${number}%`;
}

/**
 * A placeholder bar while data is loading. It is not animated, because an animation needs a layer of its own
 * while a phone is busiest.
 */
export function Skeleton({ height, width = '100%' }: SkeletonProps) {
  return <div className={classes.bar} style={{ height, width }} />;
}

/** Placeholder bars while data is loading. */
export function SkeletonRows({ rows = 4, height = 34 }: { rows?: number; height?: number }) {
  return (
    <div aria-busy="true" role="status" aria-label="Loading" style={{ display: 'grid', gap: 8 }}>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={height} width={index === rows - 1 ? '62%' : '100%'} />
      ))}
    </div>
  );
}

/**
 * Placeholder rows. While they are mounted, the content below is not shown, so that it does not move down
 * later.
 */
export function AwaitedRows(size: { readonly rows?: number; readonly height?: number }) {
  return (
    <Awaited>
      <SkeletonRows {...size} />
    </Awaited>
  );
}
