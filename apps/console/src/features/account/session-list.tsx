import type { SessionItem } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionsQuery } from '../../data/account/queries.js';
import { useRevokeOtherSessions, useRevokeSession } from '../../data/account/security.js';
import { DataTable } from '../../ui/layout/data-table.js';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { Tag } from '../../ui/layout/tag.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import { showToast } from '../../ui/notices/toasts.js';
import classes from './account.module.css';

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/OPR\//, 'Opera'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];
/** Lists the browsers in which the user is signed in. Each one can be signed out. */
export function SessionList() {
  const sessions = useQuery(sessionsQuery);
  const revoke = useRevokeSession();
  const revokeOthers = useRevokeOtherSessions();
  const end = (session: SessionItem): void =>
    revoke.mutate(session.id, {
      onSuccess: () => showToast({ text: `${describeAgent(session.user_agent)} signed out.` }),
    });
  const hasOthers = sessions.data?.some((session) => !session.is_current) ?? false;
  const endOthers = (): void =>
    revokeOthers.mutate(undefined, {
      onSuccess: ({ sessions_ended: count }) =>
        showToast({ text: `${formatCountOf(count, 'other device')} signed out.` }),
    });
  return (
    <Panel
      title="Sessions"
      note="Devices signed in to your account."
      flush
      actions={
        hasOthers ? (
          <Button size="xs" variant="default" loading={revokeOthers.isPending} onClick={endOthers}>
            Sign out other devices
          </Button>
        ) : null
      }
    >
      {sessions.isPending ? (
        <div className={classes.inset}>
          <SkeletonRows rows={2} />
        </div>
      ) : null}
      {sessions.isError ? (
        <div className={classes.inset}>
          <ErrorNotice
            title="Couldn’t load your sessions"
            error={sessions.error}
            onRetry={() => void sessions.refetch()}
          />
        </div>
      ) : null}
      {revoke.isError ? (
        <div className={classes.inset}>
          <ErrorNotice title="Couldn’t sign out this session" error={revoke.error} />
        </div>
      ) : null}
      {revokeOthers.isError ? (
        <div className={classes.inset}>
          <ErrorNotice title="Couldn’t sign out other devices" error={revokeOthers.error} />
        </div>
      ) : null}
      {sessions.data ? (
        <Later
          instead={
            <div className={classes.inset}>
              <SkeletonRows rows={2} />
            </div>
          }
        >
          <DataTable
            label="Sessions"
            rows={sessions.data}
            rowKey={(session) => session.id}
            columns={[
              {
                header: 'Browser',
                isTitle: true,
                cell: (session) => (
                  <span className={classes.value}>
                    {describeAgent(session.user_agent)}{' '}
                    {session.is_current ? <Tag tone="pine">This device</Tag> : null}
                  </span>
                ),
              },
              { header: 'IP address', cell: (session) => <span className="rh-mono">{session.address}</span> },
              { header: 'Signed in', cell: (session) => <TimeText iso={session.created_at} /> },
              { header: 'Last seen', cell: (session) => <TimeText iso={session.last_seen_at} /> },
              {
                header: 'Actions',
                quietHeader: true,
                align: 'end',
                cell: (session) =>
                  session.is_current ? null : (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Sign out ${describeAgent(session.user_agent)}`}
                      onClick={() => end(session)}
                    >
                      Sign out
                    </Button>
                  ),
              },
            ]}
          />
        </Later>
      ) : null}
    </Panel>
  );
}

/** Describes a user agent, for example as `Firefox on Linux`. Parts that are not recognized are left out. */
export function describeAgent(userAgent: string): string {
  const find = (table: readonly (readonly [RegExp, string])[]): string | undefined =>
    table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser === undefined) return userAgent.slice(0, 40) || 'Unknown client';
  return system === undefined ? browser : `${browser} on ${system}`;
}
