import { useQuery } from '@tanstack/react-query';
import { deployedSchemaQuery } from '../data/schema/queries.js';
import { FirstCallPanel } from '../features/first-call/first-call-panel.js';
import { DatabaseFacts } from '../features/projects/database-facts.js';
import { DraftBanner } from '../features/overview/draft-banner.js';
import { OverviewTiles } from '../features/overview/overview-tiles.js';
import { EndpointList } from '../features/projects/endpoint-list.js';
import classes from '../features/projects/overview.module.css';
import { RunningMigration } from '../features/migrations/running-migration.js';
import { useCurrentDatabase } from '../features/shell/current-database.js';
import { ErrorNotice } from '../ui/error-notice.js';
import { Page } from '../ui/page.js';
import { SkeletonRows } from '../ui/skeleton-rows.js';

/** The project at a glance: how to call it, its endpoints, where to go from here. */
export function OverviewScreen() {
  const { project, database } = useCurrentDatabase();
  const schema = useQuery(deployedSchemaQuery(database));
  return (
    <Page title={project.name} documentTitle={`${project.name} · ${database.environment}`} lead={`The ${database.environment} database and its API.`}>
      <div className={classes.columns}>
        <div className={classes.column}>
          <OverviewTiles database={database} />
          <RunningMigration project={project} database={database} />
          <DraftBanner project={project} database={database} />
          {schema.isPending && database.state === 'ready' ? <SkeletonRows rows={4} height={60} /> : <FirstCallPanel database={database} tables={schema.data?.tables ?? []} />}
          {schema.isError ? <ErrorNotice title="The tables could not be read" error={schema.error} onRetry={() => void schema.refetch()} /> : null}
          {schema.data ? <EndpointList project={project} database={database} tables={schema.data.tables} /> : null}
        </div>
        <DatabaseFacts project={project} database={database} />
      </div>
    </Page>
  );
}
