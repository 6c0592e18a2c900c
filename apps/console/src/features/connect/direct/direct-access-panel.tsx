import type { DatabaseResponse, DirectNote } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { directAccessQuery } from '../../../data/connections/queries.js';
import { describeEngineOf } from '../../../data/engines/queries.js';
import { DataTable } from '../../../ui/layout/data-table.js';
import { QueryErrorNotice } from '../../../ui/notices/error-notice.js';
import { Panel } from '../../../ui/layout/panel.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';

/**
 * Shows the database engine for direct connections, what database tools need in order to use it, and the
 * limits of direct connections.
 */
export function DirectAccessPanel({ database }: { database: DatabaseResponse }) {
  const access = useQuery(directAccessQuery(database.id));
  const engine = describeEngineOf(access.data ?? database);
  return (
    <>
      {access.isPending ? <SkeletonRows rows={3} /> : null}
      <QueryErrorNotice title="Couldn’t load the limits" query={access} />
      {access.data === undefined ? null : (
        <>
          <Panel
            title="Tools"
            note={engine === null ? undefined : `${database.environment} runs on ${engine}.`}
            flush
          >
            <Notes label="Tools" header="Tool" rows={access.data.tools} />
          </Panel>
          <Panel title="Direct connection limits" flush>
            <Notes label="Direct connection limits" header="Limit" rows={access.data.limits} />
          </Panel>
        </>
      )}
    </>
  );
}

function Notes({ label, header, rows }: { label: string; header: string; rows: readonly DirectNote[] }) {
  return (
    <DataTable
      label={label}
      rows={rows}
      rowKey={(note) => `${note.name} ${note.text}`}
      columns={[
        { header, isTitle: true, cell: (note) => note.name },
        { header: 'Good to know', cell: (note) => note.text },
      ]}
    />
  );
}
