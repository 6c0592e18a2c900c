import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { migrationsQuery } from '../../data/migrations/queries.js';
import { SoftDeletedPanel } from '../../features/migrations/soft-deleted-panel.js';
import { MigrationList } from '../../features/migrations/migration-list.js';
import classes from '../../features/migrations/migrations.module.css';
import { QueuePanel } from '../../features/migrations/queue-panel.js';
import { useCurrentDatabase, useMay } from '../../features/shell/current-database.js';
import { headingOf } from '../../first/page-headings.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { ButtonLink } from '../../ui/layout/links.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { Segments } from '../../ui/controls/segments.js';
import { AwaitedRows } from '../../ui/loading/skeleton.js';

const route = getRouteApi('/signed-in/projects/$projectId/$environment/migrations');

export function MigrationsScreen() {
  const { project, database } = useCurrentDatabase();
  const canAct = useMay(project, 'developer');
  const canPurge = useMay(project, 'admin');
  const { of } = route.useSearch();
  const navigate = route.useNavigate();
  const migrations = useInfiniteQuery(migrationsQuery(project.id));
  const all = migrations.data?.pages.flatMap((page) => page.items) ?? [];
  const visible = of === 'all' ? all : all.filter((migration) => migration.database === database.id);
  const location = { projectId: project.id, environment: database.environment };
  return (
    <Page
      {...headingOf('migrations', of === 'all' ? 'all databases' : database.environment)}
      actions={
        <>
          <Button
            component="a"
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            href={`/api/databases/${database.id}/migrations/export`}
            download
          >
            Export SQL files
          </Button>
          <Segments
            aria-label="Databases shown"
            data={[
              { value: 'one', label: database.environment },
              { value: 'all', label: 'All databases' },
            ]}
            value={of ?? 'one'}
            onChange={(value) =>
              void navigate({ search: value === 'all' ? { of: 'all' } : {}, replace: true })
            }
          />
        </>
      }
    >
      <QueuePanel database={database} canAct={canAct} />
      <SoftDeletedPanel database={database} canPurge={canPurge} />
      {migrations.isPending ? <AwaitedRows rows={5} /> : null}
      <QueryErrorNotice title="Couldn’t load migrations" query={migrations} />
      {migrations.data && visible.length === 0 ? (
        <EmptyState
          title="No migrations yet"
          action={
            <ButtonLink to="/projects/$projectId/$environment/schema" params={location}>
              Open schema
            </ButtonLink>
          }
        >
          Each deploy to {database.environment} appears here with its status and statements.
        </EmptyState>
      ) : null}
      {visible.length > 0 ? (
        <Later instead={<AwaitedRows rows={5} />}>
          <Panel flush label="History">
            <MigrationList location={location} migrations={visible} withDatabase={of === 'all'} />
          </Panel>
        </Later>
      ) : null}
      {migrations.hasNextPage ? (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={migrations.isFetchingNextPage}
            onClick={() => void migrations.fetchNextPage()}
          >
            Load more
          </Button>
        </div>
      ) : null}
    </Page>
  );
}
