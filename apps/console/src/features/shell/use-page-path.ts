import { useRouterState } from '@tanstack/react-router';
import { findRoom, type RoomPath } from './rooms.js';

/**
 * Returns the path of the open page, for links that change the project or environment and stay on that page.
 */
export function useRoomPath(): RoomPath {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return findRoom(path)?.to ?? '/projects/$projectId/$environment';
}
