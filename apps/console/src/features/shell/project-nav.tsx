import { Link, useRouterState } from '@tanstack/react-router';
import { useId } from 'react';
import { findPage, PAGE_GROUPS, sectionOf, type PageLocation } from './pages.js';
import classes from './project-nav.module.css';

export type { PageLocation } from './pages.js';

type Group = (typeof PAGE_GROUPS)[number];

/**
 * The sidebar's links to the pages of a project, in groups. Below the section that is open, its pages are
 * listed.
 */
export function ProjectNav(pageLocation: PageLocation) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const page = findPage(path);
  const section = page === null ? null : sectionOf(page);
  return (
    <nav aria-label="Project" className={classes.nav}>
      {PAGE_GROUPS.map((group) => (
        <PageGroup key={group.title ?? ''} group={group} location={pageLocation} section={section} />
      ))}
    </nav>
  );
}

interface PageGroupProps {
  readonly group: Group;
  readonly location: PageLocation;
  /** The label of the open section. */
  readonly section: string | null;
}

function PageGroup({ group, location, section }: PageGroupProps) {
  const titleId = useId();
  const isNamed = group.title !== null;
  return (
    <div className={classes.group}>
      {isNamed ? (
        <p className={classes.title} id={titleId}>
          {group.title}
        </p>
      ) : null}
      <ul className={classes.pages} aria-labelledby={isNamed ? titleId : undefined}>
        {group.pages.map((page) =>
          'within' in page && page.within !== section ? null : (
            <li key={page.to}>
              <Link
                to={page.to}
                params={location}
                className={classes.item}
                data-within={'within' in page || undefined}
                activeOptions={{ exact: page.label === 'Overview', includeSearch: false }}
              >
                <page.icon size={17} stroke={1.7} aria-hidden />
                {page.label}
              </Link>
            </li>
          ),
        )}
      </ul>
    </div>
  );
}
