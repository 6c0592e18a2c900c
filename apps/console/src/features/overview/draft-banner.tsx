import type { DatabaseResponse, ProjectResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { diffQuery } from '../../data/schema/queries.js';
import { ButtonLink } from '../../ui/layout/links.js';
import { summarizePlan } from '../schema/deploy/summarize-plan.js';
import classes from './overview.module.css';

/**
 * Shows which changes of the draft are not deployed to this database yet. Shows nothing while the plan is
 * loading, or if there are no such changes. The banner comes last in its column, so that the rest of the page
 * does not move when it appears.
 */
export function DraftBanner({ project, database }: { project: ProjectResponse; database: DatabaseResponse }) {
  const diff = useQuery(diffQuery(project.id, database));
  const plan = diff.data?.plans[0];
  if (plan === undefined || plan.steps.length === 0) return null;
  return (
    <section className={classes.banner} aria-label="Draft">
      <p>
        <strong>Your draft has changes that aren’t in {database.environment} yet:</strong>{' '}
        <span className="rh-dim">{summarizePlan(plan)}.</span>
      </p>
      <ButtonLink
        size="xs"
        variant="default"
        to="/projects/$projectId/$environment/schema"
        params={{ projectId: project.id, environment: database.environment }}
        search={{ view: 'deploy' }}
      >
        Review and deploy
      </ButtonLink>
    </section>
  );
}
