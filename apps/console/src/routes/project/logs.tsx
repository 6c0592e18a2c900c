import { Button, Switch } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { keysQuery } from '../../data/keys/queries.js';
import { requestsQuery } from '../../data/telemetry/queries.js';
import { LogFilters } from '../../features/logs/log-filters.js';
import type { LogSearch } from '../../features/logs/log-search.js';
import { hidesConsole, toRequestFilter } from '../../features/logs/request-filter.js';
import classes from '../../features/logs/logs.module.css';
import { RequestDialog } from '../../features/logs/request-dialog.js';
import { RequestTable } from '../../features/logs/request-table.js';
import { useCurrentDatabase, useMay } from '../../features/shell/current-database.js';
import { RoleNote } from '../../features/shell/role-note.js';
import { headingOf } from '../../first/page-headings.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { ButtonLink } from '../../ui/layout/links.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';

const route = getRouteApi('/signed-in/projects/$projectId/$environment/logs');

/**
 * The page with the log of requests to the data API. The URL contains the filters, the open line, and whether
 * new lines are shown as they arrive.
 */
export function LogsScreen() {
  const { project, database } = useCurrentDatabase();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayRead = useMay(project, 'developer');
  const keys = useQuery(keysQuery(database.id)).data ?? [];
  const { line, live, ...filters } = search;
  const requested = JSON.stringify(filters);
  const filter = useMemo(() => toRequestFilter(JSON.parse(requested) as LogSearch, Date.now()), [requested]);
  const requests = useInfiniteQuery({
    ...requestsQuery(database.id, filter, live === true),
    enabled: mayRead,
  });
  const items = requests.data?.pages.flatMap((page) => page.items) ?? [];
  const change = (part: { [Name in keyof LogSearch]?: LogSearch[Name] | undefined }): void =>
    void navigate({ search: (before) => withoutEmpty({ ...before, ...part }), replace: true });
  const { console: withConsole, ...narrowing } = filters;
  const isFiltered = Object.keys(narrowing).length > 0;
  const switches = (
    <>
      <Switch
        label="Console requests"
        checked={withConsole === true}
        onChange={(event) => change({ console: event.currentTarget.checked || undefined })}
      />
      <Switch
        label="Live"
        checked={live === true}
        onChange={(event) => change({ live: event.currentTarget.checked || undefined })}
      />
    </>
  );
  return (
    <Page {...headingOf('logs', database.environment)} actions={mayRead ? switches : undefined}>
      <RoleNote project={project} least="developer" toDo="view logs" />
      {mayRead ? (
        <LogFilters
          search={search}
          keys={keys}
          onChange={change}
          onClear={() =>
            void navigate({
              search: withoutEmpty({ live, console: withConsole }),
              replace: true,
            })
          }
        />
      ) : null}
      {requests.isLoading ? <SkeletonRows rows={8} /> : null}
      <QueryErrorNotice title="Couldn’t load logs" query={requests} />
      {requests.data && items.length === 0 ? (
        <NoRequests
          isFiltered={isFiltered}
          isConsoleHidden={hidesConsole(search)}
          location={{ projectId: project.id, environment: database.environment }}
        />
      ) : null}
      {items.length > 0 ? (
        // The button appears together with the lines. Below the placeholders, it would move down when the
        // lines arrive.
        <Later instead={<SkeletonRows rows={8} />}>
          <Panel flush label="Requests">
            <RequestTable items={items} onOpen={(item) => change({ line: item.id })} />
          </Panel>
          {requests.hasNextPage ? (
            <div className={classes.more}>
              <Button
                variant="default"
                loading={requests.isFetchingNextPage}
                onClick={() => void requests.fetchNextPage()}
              >
                Load more
              </Button>
            </div>
          ) : null}
        </Later>
      ) : null}
      <RequestDialog
        item={items.find((item) => item.id === line) ?? null}
        onClose={() => change({ line: undefined })}
      />
    </Page>
  );
}

function NoRequests({
  isFiltered,
  isConsoleHidden,
  location,
}: {
  isFiltered: boolean;
  isConsoleHidden: boolean;
  location: { projectId: string; environment: string };
}) {
  if (isFiltered)
    return (
      <EmptyState title="No matching requests">
        Try fewer filters. New requests appear within 5 seconds.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No requests yet"
      action={
        <ButtonLink to="/projects/$projectId/$environment/connect" params={location}>
          Send a request
        </ButtonLink>
      }
    >
      Requests to {location.environment} appear here within 5 seconds.
      {isConsoleHidden ? ' The console’s own requests are hidden.' : ''}
    </EmptyState>
  );
}

function withoutEmpty(search: { [Name in keyof LogSearch]?: LogSearch[Name] | undefined }): LogSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as LogSearch;
}
