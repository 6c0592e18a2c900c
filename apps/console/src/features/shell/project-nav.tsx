import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import classes from './project-nav.module.css';
import { ROOM_GROUPS, type Place } from './rooms.js';

export type { Place } from './rooms.js';

type Group = (typeof ROOM_GROUPS)[number];

/** Links to the pages of a project, by group. */
export function ProjectNav(place: Place) {
  return (
    <nav aria-label="Project" className={classes.nav}>
      {ROOM_GROUPS.map((group) => <RoomGroup key={group.title ?? ''} group={group} place={place} />)}
    </nav>
  );
}

function RoomGroup({ group, place }: { group: Group; place: Place }) {
  const titleId = useId();
  const isNamed = group.title !== null;
  return (
    <div className={classes.group}>
      {isNamed ? <p className={classes.title} id={titleId}>{group.title}</p> : null}
      <ul className={classes.rooms} aria-labelledby={isNamed ? titleId : undefined}>
        {group.rooms.map((room) => (
          <li key={room.to}>
            <Link to={room.to} params={place} className={classes.item} activeOptions={{ exact: room.label === 'Overview', includeSearch: false }}>
              <room.icon size={17} stroke={1.7} aria-hidden />
              {room.label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
