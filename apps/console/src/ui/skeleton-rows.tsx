import { Skeleton } from '@mantine/core';

/** Bars in the place of what is being fetched. */
export function SkeletonRows({ rows = 4, height = 34 }: { rows?: number; height?: number }) {
  return (
    <div aria-busy="true" role="status" aria-label="Loading" style={{ display: 'grid', gap: 8 }}>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={height} radius="sm" width={index === rows - 1 ? '62%' : '100%'} />
      ))}
    </div>
  );
}
