import { useRouterState } from '@tanstack/react-router';
import { ROOMS } from './project-nav.js';

export type RoomPath = (typeof ROOMS)[number]['to'];

/** The room that is open, for links that change project or environment and stay in it. */
export function useRoomPath(): RoomPath {
  const segment = useRouterState({ select: (state) => state.location.pathname.split('/')[4] ?? '' });
  return ROOMS.find((room) => segment !== '' && room.to.endsWith(`/${segment}`))?.to ?? '/projects/$projectId/$environment';
}
