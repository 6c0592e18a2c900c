import { Skeleton, SkeletonRows } from '../ui/loading/skeleton.js';

export function ScreenSkeleton() {
  return (
    <div
      style={{
        maxWidth: 'var(--rh-measure)',
        margin: '0 auto',
        padding: '24px 28px',
        display: 'grid',
        gap: 20,
      }}
    >
      <Skeleton height={28} width={220} />
      <SkeletonRows rows={5} height={44} />
    </div>
  );
}
