import { Awaited } from './in-turn.js';
import { Skeleton } from './skeleton.js';

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
 * The same for lists with content below, which is not shown before the data is loaded, because it would be
 * pushed down.
 */
export function AwaitedRows(size: { readonly rows?: number; readonly height?: number }) {
  return (
    <Awaited>
      <SkeletonRows {...size} />
    </Awaited>
  );
}
