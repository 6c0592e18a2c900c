import type { DatabaseResponse, LimitItem } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { limitsQuery } from '../../data/telemetry/queries.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { writeClock } from '../../ui/formatting/describe-time.js';
import { formatBytes, formatCount } from '../../ui/formatting/format-number.js';
import { Meter } from '../../ui/layout/meter.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import type { PageLocation } from '../shell/pages.js';
import classes from './usage.module.css';

const NAMES: Readonly<Record<string, { title: string; text: string }>> = {
  storage: {
    title: 'Storage',
    text: 'Rows and indexes on disk. When full, new rows are rejected; reads and deletes still work.',
  },
  requests: {
    title: 'Requests per second',
    text: 'Over the last minute, for all keys. Further requests get a 429 with Retry-After.',
  },
  language_model_tokens: {
    title: 'Language model',
    text: 'Tokens used today by all databases of the project.',
  },
};

/** Shows the limits of the database and how much of each is used. */
export function LimitsPanel({
  database,
  location: pageLocation,
}: {
  database: DatabaseResponse;
  location: PageLocation;
}) {
  const limits = useQuery(limitsQuery(database.id));
  return (
    <Panel
      title="Limits"
      note={
        limits.data
          ? `Plan: ${limits.data.plan}. ${limits.data.limited_today === 0 ? 'No requests were rate-limited today.' : `${formatCount(limits.data.limited_today)} requests were rate-limited today.`}`
          : undefined
      }
    >
      {limits.isPending ? <SkeletonRows rows={3} /> : null}
      <QueryErrorNotice title="Couldn’t load the limits" query={limits} />
      <ul className={classes.limits}>
        {limits.data?.items.map((item) => (
          <LimitLine key={item.name} item={item} />
        ))}
      </ul>
      <p className={classes.note}>
        Change the rate limit and tokens per day in{' '}
        <Link
          to="/projects/$projectId/$environment/settings"
          params={pageLocation}
          search={{ find: 'limit' }}
        >
          settings
        </Link>
        . For limits of a single request (page size, body size), see <code>GET /health</code>.
      </p>
    </Panel>
  );
}

function LimitLine({ item }: { item: LimitItem }) {
  const { title, text } = NAMES[item.name] ?? { title: item.name, text: '' };
  return (
    <li className={classes.limit}>
      <div className={classes.head}>
        <strong>{title}</strong>
        <span>{describeLevel(item)}</span>
      </div>
      <Meter
        label={title}
        share={item.max === null || item.used === null ? null : item.max === 0 ? 1 : item.used / item.max}
      />
      <p>
        {text}
        {item.resets_at === null || item.max === null
          ? ''
          : ` Resets at ${writeClock(new Date(item.resets_at))}.`}
      </p>
    </li>
  );
}

function describeLevel({ unit, used, max }: LimitItem): string {
  const format = (value: number): string => (unit === 'bytes' ? formatBytes(value) : formatCount(value));
  const now = used === null ? 'Not measured yet' : format(used);
  return max === null ? `${now} (no limit)` : `${now} of ${format(max)}`;
}
