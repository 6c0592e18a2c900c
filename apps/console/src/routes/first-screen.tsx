import { Outlet } from '@tanstack/react-router';
import { Later } from '../ui/loading/lazy-part.js';

/**
 * Renders the router's screen. The router never renders in slices, so the first screen, which is all new, is
 * deferred.
 */
export function FirstScreen() {
  return (
    <Later>
      <Outlet />
    </Later>
  );
}
