import type { MigrationResponse } from '@rowhouse/contracts';
import { ButtonLink } from '../../../ui/layout/links.js';
import type { PageLocation } from '../../shell/pages.js';
import classes from '../schema.module.css';

/** Links to the pages that are useful after a change was deployed. */
export function PublishedLinks({
  location: pageLocation,
  migration,
}: {
  location: PageLocation;
  migration: MigrationResponse;
}) {
  const target = { projectId: pageLocation.projectId, environment: migration.environment };
  const table = migration.plan.steps.find((step) => step.kind !== 'drop_table')?.table;
  return (
    <div className={classes.links}>
      {table === undefined ? (
        <ButtonLink size="xs" variant="default" to="/projects/$projectId/$environment/api" params={target}>
          Open API reference
        </ButtonLink>
      ) : (
        <ButtonLink
          size="xs"
          variant="default"
          to="/projects/$projectId/$environment/api/$table"
          params={{ ...target, table }}
        >{`Open API reference for ${table}`}</ButtonLink>
      )}
      <span className={classes.done}>Published as version {migration.published_snapshot}.</span>
    </div>
  );
}
