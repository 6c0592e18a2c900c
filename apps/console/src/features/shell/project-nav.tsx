import { IconBook2, IconHome2, IconKey, IconLayoutList, IconPlugConnected, IconSettings, IconTable, IconTimeline, IconVocabulary } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from './project-nav.module.css';

export interface Place {
  readonly projectId: string;
  readonly environment: string;
}

/** The rooms of a project, in the order of the sidebar and the palette. */
export const ROOMS = [
  { to: '/projects/$projectId/$environment', label: 'Overview', icon: IconHome2 },
  { to: '/projects/$projectId/$environment/data', label: 'Data', icon: IconLayoutList },
  { to: '/projects/$projectId/$environment/schema', label: 'Schema', icon: IconTable },
  { to: '/projects/$projectId/$environment/migrations', label: 'Migrations', icon: IconTimeline },
  { to: '/projects/$projectId/$environment/api', label: 'API', icon: IconBook2 },
  { to: '/projects/$projectId/$environment/words', label: 'Words', icon: IconVocabulary },
  { to: '/projects/$projectId/$environment/keys', label: 'Keys', icon: IconKey },
  { to: '/projects/$projectId/$environment/connect', label: 'Connect', icon: IconPlugConnected },
  { to: '/projects/$projectId/$environment/settings', label: 'Settings', icon: IconSettings },
] as const;

export function ProjectNav(place: Place) {
  return (
    <nav aria-label="Project" className={classes.nav}>
      {ROOMS.map((room) => (
        <Link key={room.to} to={room.to} params={place} className={classes.item} activeOptions={{ exact: room.label === 'Overview' }}>
          <room.icon size={17} stroke={1.7} aria-hidden />
          {room.label}
        </Link>
      ))}
    </nav>
  );
}
