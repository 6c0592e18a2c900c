import { useMediaQuery } from '@mantine/hooks';

/** The width below which the style sheets show the narrow form: the sidebar becomes a menu. */
const NARROW = '(max-width: 860px)';

/** Whether the window is narrow: what only the wide form shows need not be made there, and the other way round. */
export function useNarrow(): boolean {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
}
