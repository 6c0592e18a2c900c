import { Outlet } from '@tanstack/react-router';
import { Later } from '../ui/loading/lazy-part.js';

/**
 * Renders the router's screen. The router does not render in slices, so the first screen is deferred until
 * React can do so.
 */
export function FirstScreen() {
  return (
    <Later>
      <Outlet />
    </Later>
  );
}
