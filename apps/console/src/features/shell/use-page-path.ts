import { useRouterState } from '@tanstack/react-router';
import { findCapacity, type ConsolePagePath } from './pages.js';

/**
 * Returns the path of the open page, for links that change the project or environment and stay on that page.
 */
export function usePagePath(): ConsolePagePath {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return findCapacity(path)?.to ?? '/projects/$projectId/$environment';
}
