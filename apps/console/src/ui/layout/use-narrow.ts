import { useMediaQuery } from '@mantine/hooks';

/** The width below which style sheets use the narrow layout, where the sidebar becomes a menu. */
const NARROW = '(max-width: 860px)';

/** Returns whether the window is narrow, so that only one layout is rendered. */
export function useNarrow(): boolean {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
}
