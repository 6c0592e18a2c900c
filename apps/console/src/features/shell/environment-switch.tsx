import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { projectQuery, sortDatabases } from '../../data/projects/queries.js';
import { HouseGlyph } from '../../ui/theme/house-glyph.js';
import classes from './environment-switch.module.css';
import type { PageLocation } from './pages.js';
import { findPage, type ConsolePagePath } from './pages.js';

/**
 * Selects the database of the project, which is part of the URL. The same page then opens for the other
 * database.
 */
export function EnvironmentSwitch({
  projectId,
  environment,
  isWide = false,
}: PageLocation & { isWide?: boolean }) {
  const project = useQuery(projectQuery(projectId));
  const page = usePagePath();
  return (
    <nav aria-label="Environment" className={classes.switch} data-wide={isWide || undefined}>
      {sortDatabases(project.data?.databases ?? []).map((database) => (
        <Link
          key={database.id}
          to={page}
          params={{ projectId, environment: database.environment }}
          className={classes.item}
          data-chosen={database.environment === environment || undefined}
        >
          <HouseGlyph environment={database.environment} size={14} />
          {database.environment}
        </Link>
      ))}
    </nav>
  );
}

/**
 * Returns the path of the open page. Links that change the project or environment use it to stay on that
 * page.
 */
function usePagePath(): ConsolePagePath {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return findPage(path)?.to ?? '/projects/$projectId/$environment';
}
