import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { PreloadQueries } from '../../data/preload-queries.js';
import { queueQuery } from '../../data/migrations/queries.js';
import { deployedSchemaQuery } from '../../data/schema/queries.js';
import { FirstCallPanel } from '../../features/first-call/first-call-panel.js';
import { DatabaseFacts } from '../../features/projects/database-facts.js';
import { DraftBanner } from '../../features/overview/draft-banner.js';
import { FirstSteps } from '../../features/overview/first-steps.js';
import { OverviewTiles } from '../../features/overview/overview-tiles.js';
import { EndpointList } from '../../features/projects/endpoint-list.js';
import classes from '../../features/projects/overview.module.css';
import { RunningMigration } from '../../features/migrations/running-migration.js';
import { useCurrentDatabase, useMay } from '../../features/shell/current-database.js';
import { headingOf } from '../../first/page-headings.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { RenderInOrder } from '../../ui/loading/render-in-order.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { Page } from '../../ui/layout/page.js';
import { AwaitedRows } from '../../ui/loading/skeleton.js';

/**
 * These components are memoized, so that they render again only when their properties change, and not with
 * each response that the screen waits for.
 */
const Tiles = memo(OverviewTiles);
const Running = memo(RunningMigration);
const Draft = memo(DraftBanner);
const FirstCall = memo(FirstCallPanel);
const Endpoints = memo(EndpointList);
const Steps = memo(FirstSteps);
const Facts = memo(DatabaseFacts);

const WAITING = <AwaitedRows rows={9} height={60} />;

export const preloadQueries: PreloadQueries = (queryClient, database) => {
  void queryClient.prefetchQuery(deployedSchemaQuery(database));
  void queryClient.prefetchQuery(queueQuery(database));
};

/** The overview page of a project: how to call its API, its endpoints, and the next steps. */
export function OverviewScreen() {
  const { project, database } = useCurrentDatabase();
  const schema = useQuery(deployedSchemaQuery(database));
  const mayChange = useMay(project, 'developer');
  // The page waits for the content above the first API call, and shows the content below it later, so that
  // nothing moves.
  const queue = useQuery(queueQuery(database));
  return (
    <Page
      {...headingOf('overview', database.environment)}
      title={project.name}
      documentTitle={`${project.name} · ${database.environment}`}
    >
      <div className={classes.columns}>
        <RenderInOrder>
          <div className={classes.column}>
            <Tiles project={project} database={database} />
            {schema.isLoading || queue.isLoading ? (
              WAITING
            ) : (
              <Later instead={WAITING}>
                <RenderInOrder>
                  <Running project={project} database={database} />
                  <FirstCall database={database} tables={schema.data?.tables ?? []} />
                  <QueryErrorNotice title="Couldn’t load the tables" query={schema} />
                  {schema.data ? (
                    <Endpoints project={project} database={database} tables={schema.data.tables} />
                  ) : null}
                </RenderInOrder>
              </Later>
            )}
          </div>
          <div className={classes.column}>
            <RenderInOrder>
              {mayChange && schema.data ? (
                <Steps project={project} database={database} tables={schema.data.tables} />
              ) : null}
              <Facts project={project} database={database} />
              <Draft project={project} database={database} />
            </RenderInOrder>
          </div>
        </RenderInOrder>
      </div>
    </Page>
  );
}
