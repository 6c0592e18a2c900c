import { Outlet } from '@tanstack/react-router';
import { Later } from '../ui/later.js';

/** What the router shows. It tells of each screen in a way that is never sliced: the first one, all of whose parts are new, is put off a moment. */
export function FirstScreen() {
  return <Later><Outlet /></Later>;
}
