import type { DatabaseResponse, InsightsResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { insightsQuery } from '../../data/telemetry/queries.js';
import { CodeBlock } from '../../ui/code/code-block.js';
import { DataTable } from '../../ui/layout/data-table.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { formatCount, formatCountOf, formatMilliseconds } from '../../ui/formatting/format-number.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { nameRoute } from '../logs/name-route.js';
import { addToDraft } from '../schema/editor/use-persisted-draft.js';
import type { PageLocation } from '../shell/pages.js';
import classes from './usage.module.css';

const WAITING = <SkeletonRows rows={5} />;

/** Shows what the user should look at: slow or failing routes, missing indexes, and unused API keys. */
export function InsightsPanels({
  database,
  location: pageLocation,
  hours,
}: {
  database: DatabaseResponse;
  location: PageLocation;
  hours: number;
}) {
  const insights = useQuery(insightsQuery(database.id, hours));
  if (insights.isPending) return WAITING;
  if (insights.isError)
    return (
      <ErrorNotice
        title="Couldn’t load insights"
        error={insights.error}
        onRetry={() => void insights.refetch()}
      />
    );
  return (
    <Later instead={WAITING}>
      <Routes insights={insights.data} place={pageLocation} />
      <MissingIndexes insights={insights.data} place={pageLocation} />
      <UnusedKeys insights={insights.data} place={pageLocation} />
    </Later>
  );
}

function Routes({ insights, place: pageLocation }: { insights: InsightsResponse; place: PageLocation }) {
  const visible = insights.routes.filter((row) => row.route !== '').slice(0, 12);
  if (visible.length === 0) return null;
  return (
    <Panel
      title="Slowest endpoints"
      note={`By total time, over the last ${formatCount(insights.sampled)} requests.`}
      flush
    >
      <DataTable
        label="Routes"
        rows={visible}
        rowKey={(row) => row.route}
        columns={[
          {
            header: 'Route',
            isTitle: true,
            cell: (row) => (
              <Link
                className="rh-mono"
                to="/projects/$projectId/$environment/logs"
                params={pageLocation}
                search={{ route: row.route }}
              >
                {nameRoute(row.route)}
              </Link>
            ),
          },
          { header: 'Requests', align: 'end', cell: (row) => formatCount(row.requests) },
          { header: 'Rejected', align: 'end', cell: (row) => formatCount(row.refused) },
          { header: 'Failed', align: 'end', cell: (row) => formatCount(row.errors) },
          { header: 'p50', align: 'end', cell: (row) => formatMilliseconds(row.p50_ms) },
          { header: 'p95', align: 'end', cell: (row) => formatMilliseconds(row.p95_ms) },
        ]}
      />
    </Panel>
  );
}

function MissingIndexes({
  insights,
  place: pageLocation,
}: {
  insights: InsightsResponse;
  place: PageLocation;
}) {
  const navigate = useNavigate();
  const take = (sql: string): void => {
    addToDraft(`${pageLocation.projectId}-statements`, `${sql.replace(/;\s*$/, '')};`);
    void navigate({
      to: '/projects/$projectId/$environment/schema',
      params: pageLocation,
      search: { view: 'sql' },
    });
  };
  if (insights.slow_shapes.length === 0) return null;
  return (
    <Panel title="Slow requests" note="Filters and sort orders of requests over 100 ms, without values.">
      <ul className={classes.shapes}>
        {insights.slow_shapes.map((shape) => (
          <li key={`${shape.table} ${shape.asked}`}>
            <div className={classes.head}>
              <code>{shape.asked}</code>
              <span>
                {formatCountOf(shape.requests, 'request')}, {formatMilliseconds(shape.mean_ms)} on average
              </span>
            </div>
            {shape.index_sql === null ? (
              <p className={classes.note}>These columns already have an index or can’t be indexed.</p>
            ) : (
              <IndexOffer table={shape.table} sql={shape.index_sql} onTake={take} />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/**
 * Suggests an index for a table. The user can add its SQL to the draft and review it there before it is
 * created.
 */
function IndexOffer({ table, sql, onTake }: { table: string; sql: string; onTake: (sql: string) => void }) {
  return (
    <>
      <CodeBlock code={sql} language="sql" label={`index for ${table}`} wrap />
      <div>
        <Button size="compact-sm" variant="default" onClick={() => onTake(sql)}>
          Add to draft
        </Button>
      </div>
    </>
  );
}

function UnusedKeys({ insights, place: pageLocation }: { insights: InsightsResponse; place: PageLocation }) {
  if (insights.unused_keys.length === 0) return null;
  return (
    <Panel title="Unused keys" note="Unused for 30 days. Consider revoking them.">
      <p className={classes.note}>
        {insights.unused_keys.map((key) => key.name).join(', ')}.{' '}
        <Link to="/projects/$projectId/$environment/keys" params={pageLocation}>
          View keys
        </Link>
      </p>
    </Panel>
  );
}
