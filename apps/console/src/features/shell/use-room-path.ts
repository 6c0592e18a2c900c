import { useRouterState } from '@tanstack/react-router';
import { findRoom, type RoomPath } from './rooms.js';

/** The room that is open, for links that change project or environment and stay in it. */
export function useRoomPath(): RoomPath {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return findRoom(path)?.to ?? '/projects/$projectId/$environment';
}
