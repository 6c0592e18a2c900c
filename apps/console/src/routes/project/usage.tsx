import { getRouteApi } from '@tanstack/react-router';
import { useCurrentDatabase, useMay } from '../../features/shell/current-database.js';
import { BreakdownPanel } from '../../features/usage/breakdown-panel.js';
import { InsightsPanels } from '../../features/usage/insights-panel.js';
import { LimitsPanel } from '../../features/usage/limits-panel.js';
import { UsageChart } from '../../features/usage/usage-chart.js';
import { isUsageSpan, USAGE_SPANS } from '../../features/usage/usage-spans.js';
import classes from '../../features/usage/usage.module.css';
import { headingOf } from '../../first/page-headings.js';
import { Page } from '../../ui/layout/page.js';
import { Segments } from '../../ui/controls/segments.js';

const route = getRouteApi('/signed-in/projects/$projectId/$environment/usage');
const HOURS_MAX = 336;

/** The usage of a database, its limits, and slow requests. */
export function UsageScreen() {
  const { project, database } = useCurrentDatabase();
  const { span = '24h', by = 'table' } = route.useSearch();
  const navigate = route.useNavigate();
  const mayLook = useMay(project, 'developer');
  const location = { projectId: project.id, environment: database.environment };
  const { days, lengthMs } = USAGE_SPANS[span];
  const spans = Object.entries(USAGE_SPANS).map(([value, { label }]) => ({ value, label }));
  return (
    <Page
      {...headingOf('usage', database.environment)}
      actions={
        <Segments
          aria-label="Time span"
          data={spans}
          value={span}
          onChange={(value) =>
            void navigate({
              search: (before) => ({ ...before, ...(isUsageSpan(value) ? { span: value } : {}) }),
              replace: true,
            })
          }
        />
      }
    >
      <UsageChart key={span} database={database} span={span} />
      <div className={classes.columns}>
        <BreakdownPanel
          database={database}
          by={by}
          days={days}
          onChange={(value) =>
            void navigate({ search: (before) => ({ ...before, by: value }), replace: true })
          }
        />
        <LimitsPanel database={database} location={location} />
      </div>
      {mayLook ? (
        <InsightsPanels
          database={database}
          location={location}
          hours={Math.min(HOURS_MAX, Math.max(1, lengthMs / 3_600_000))}
        />
      ) : null}
    </Page>
  );
}
