import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import classes from './project-nav.module.css';
import { PAGE_GROUPS, type PageLocation } from './pages.js';

export type { PageLocation } from './pages.js';

type Group = (typeof PAGE_GROUPS)[number];

/** Links to the pages of a project, by group. */
export function ProjectNav(pageLocation: PageLocation) {
  return (
    <nav aria-label="Project" className={classes.nav}>
      {PAGE_GROUPS.map((group) => (
        <PageGroup key={group.title ?? ''} group={group} place={pageLocation} />
      ))}
    </nav>
  );
}

function PageGroup({ group, place: pageLocation }: { group: Group; place: PageLocation }) {
  const titleId = useId();
  const isNamed = group.title !== null;
  return (
    <div className={classes.group}>
      {isNamed ? (
        <p className={classes.title} id={titleId}>
          {group.title}
        </p>
      ) : null}
      <ul className={classes.rooms} aria-labelledby={isNamed ? titleId : undefined}>
        {group.rooms.map((page) => (
          <li key={page.to}>
            <Link
              to={page.to}
              params={pageLocation}
              className={classes.item}
              activeOptions={{ exact: page.label === 'Overview', includeSearch: false }}
            >
              <page.icon size={17} stroke={1.7} aria-hidden />
              {page.label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
