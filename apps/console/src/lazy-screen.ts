import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { fetchEarly } from './ui/loading/fetch-early.js';

/** The page is loaded after the first input, because it cannot be loaded without a connection. */
const loadOffline = () => import('./routes/offline.js');
fetchEarly(loadOffline);

/**
 * Returns a screen whose code is loaded on demand. Without a connection, the page for that case is shown.
 * The router would reload the console instead, and the browser would then show its own error page.
 */
export function lazyScreen<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) {
  return lazyRouteComponent(() => orOffline(load).then((screen) => ({ screen })), 'screen');

  async function orOffline(loadScreen: typeof load): Promise<ComponentType> {
    try {
      return (await loadScreen())[name];
    } catch (error) {
      const { isReachable, OfflineScreen } = await loadOffline();
      if (await isReachable()) throw error;
      return OfflineScreen;
    }
  }
}
