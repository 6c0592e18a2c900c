import type { AuditItem, MemberResponse } from '@rowhouse/contracts';
import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { auditQuery } from '../../data/team/queries.js';
import { CopyButton } from '../../ui/code/copy-button.js';
import { DataTable } from '../../ui/layout/data-table.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { TimeRangeSelect } from '../../ui/controls/time-range-select.js';
import { FilterBar } from '../../ui/controls/filter-bar.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import { toRangeStart } from '../../ui/formatting/time-ranges.js';
import { ACTION_KINDS, describeAction, describeDetail } from './describe-action.js';
import type { TeamSearch } from './team-search.js';
import classes from './team.module.css';

interface AuditTrailProps {
  readonly organizationId: string;
  readonly members: readonly MemberResponse[];
  readonly search: TeamSearch;
  readonly onChange: (part: { [Name in keyof TeamSearch]?: TeamSearch[Name] | undefined }) => void;
}

/** Lists the actions in an organization, each with the member who performed it and where it came from. */
export function AuditTrail({ organizationId, members, search, onChange }: AuditTrailProps) {
  const { action, account, range } = search;
  const since = useMemo(() => (range === undefined ? undefined : toRangeStart(range, Date.now())), [range]);
  const audit = useInfiniteQuery(auditQuery(organizationId, { action, account, since }));
  const items = audit.data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = action !== undefined || account !== undefined || range !== undefined;
  return (
    <div className={classes.stack}>
      <FilterBar
        label="Filter the audit log"
        isFiltered={isFiltered}
        onClear={() => onChange({ action: undefined, account: undefined, range: undefined })}
      >
        <NativeSelect
          size="xs"
          label="Event"
          data={[{ value: '', label: 'All events' }, ...ACTION_KINDS]}
          value={action ?? ''}
          onChange={(event) => onChange({ action: event.currentTarget.value || undefined })}
        />
        <NativeSelect
          size="xs"
          label="By"
          data={[
            { value: '', label: 'Anyone' },
            ...members.map((member) => ({ value: member.account_id, label: member.email })),
          ]}
          value={account ?? ''}
          onChange={(event) => onChange({ account: event.currentTarget.value || undefined })}
        />
        <TimeRangeSelect range={range} onChange={(range) => onChange({ range })} />
      </FilterBar>
      {audit.isPending ? <SkeletonRows rows={6} /> : null}
      <QueryErrorNotice title="Couldn’t load the audit log" query={audit} />
      {audit.data && items.length === 0 ? (
        <EmptyState title="No matching events">Try a wider time range or fewer filters.</EmptyState>
      ) : null}
      {items.length > 0 ? (
        <Panel flush label="Audit log">
          <AuditTable items={items} />
        </Panel>
      ) : null}
      {audit.hasNextPage ? (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={audit.isFetchingNextPage}
            onClick={() => void audit.fetchNextPage()}
          >
            Load more
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function AuditTable({ items }: { items: readonly AuditItem[] }) {
  return (
    <DataTable
      label="Audit log"
      rows={items}
      rowKey={(item) => item.id}
      columns={[
        { header: 'Event', isTitle: true, cell: (item) => describeAction(item.action) },
        {
          header: 'Details',
          cell: (item) => <span className={classes.detail}>{describeDetail(item.detail) || '–'}</span>,
        },
        {
          header: 'By',
          cell: (item) => (
            <span className={classes.by} title={item.account_email}>
              {item.account_email || (item.account_id === null ? '–' : 'Deleted account')}
            </span>
          ),
        },
        { header: 'IP address', cell: (item) => <span className="rh-mono">{item.address || '–'}</span> },
        { header: 'When', cell: (item) => <TimeText iso={item.at} /> },
        {
          header: 'Request ID',
          quietHeader: true,
          align: 'end',
          cell: (item) =>
            item.request_id === '' ? null : (
              <CopyButton
                text={item.request_id}
                label={`Copy request ID of ${describeAction(item.action)}`}
              />
            ),
        },
      ]}
    />
  );
}
