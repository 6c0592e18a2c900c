import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouterState } from '@tanstack/react-router';
import { projectQuery } from '../../data/projects/queries.js';
import { findPage } from './pages.js';
import classes from './trail.module.css';

/**
 * The breadcrumb from the list of projects to the current page. The page itself is left out, because it is
 * the heading. Outside of a project, the breadcrumb is empty.
 */
export function Trail() {
  const { projectId, environment } = useParams({ strict: false });
  const path = useRouterState({ select: (state) => state.location.pathname });
  const project = useQuery({ ...projectQuery(projectId ?? ''), enabled: projectId !== undefined });
  if (projectId === undefined || environment === undefined) return null;
  const page = findPage(path);
  const isOverview = page?.label === 'Overview';
  const isBelowPage = page !== null && !isOverview && path.replace(/\/+$/, '').split('/').length > 5;
  const location = { projectId, environment };
  return (
    <nav aria-label="Breadcrumb" className={classes.trail}>
      <ol>
        <li>
          <Link to="/projects">Projects</Link>
        </li>
        {isOverview ? null : (
          <li>
            <Link to="/projects/$projectId/$environment" params={location}>
              {project.data?.name ?? '…'}
            </Link>
          </li>
        )}
        <li>
          <span>{environment}</span>
        </li>
        {isBelowPage ? (
          <li>
            <Link to={page.to} params={location}>
              {page.label}
            </Link>
          </li>
        ) : null}
      </ol>
    </nav>
  );
}
