import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { isReachable, OfflineScreen } from './routes/offline.js';

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
      if (await isReachable()) throw error;
      return OfflineScreen;
    }
  }
}
