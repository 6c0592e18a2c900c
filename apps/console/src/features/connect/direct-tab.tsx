import type { CreatedConnectionAnswer } from '@rowhouse/contracts';
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { connectionsQuery } from '../../data/connections/queries.js';
import { CodeBlock } from '../../ui/code-block.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { Panel } from '../../ui/panel.js';
import { SecretBox } from '../../ui/secret-box.js';
import { SkeletonRows } from '../../ui/skeleton-rows.js';
import { useCurrentDatabase } from '../shell/current-database.js';
import classes from './connect.module.css';
import { ConnectionForm } from './connection-form.js';
import { ConnectionList } from './connection-list.js';
import { makeConnectionSnippets } from './make-connection-snippet.js';

/** Direct database users: make one, see its string once, revoke. */
export function DirectTab() {
  const { database } = useCurrentDatabase();
  const connections = useQuery(connectionsQuery(database.id));
  const [made, setMade] = useState<CreatedConnectionAnswer | null>(null);
  return (
    <div className={classes.stack}>
      {made ? <CreatedConnection made={made} /> : null}
      <Panel title={made ? 'Another connection string' : 'New connection string'} note={`A MySQL user of its own for ${database.environment}: give each person or program one.`}>
        <ConnectionForm database={database} onCreated={setMade} />
      </Panel>
      {connections.isPending ? <SkeletonRows rows={3} /> : null}
      {connections.isError ? <ErrorNotice title="The connections could not be read" error={connections.error} onRetry={() => void connections.refetch()} /> : null}
      {connections.data?.length === 0 ? <EmptyState title="No direct users">Make one above to use any MySQL client or driver.</EmptyState> : null}
      {connections.data && connections.data.length > 0 ? (
        <Panel title="Connections" flush>
          <ConnectionList database={database} connections={connections.data} onRotated={setMade} onRevoked={(id) => setMade((current) => (current?.id === id ? null : current))} />
        </Panel>
      ) : null}
    </div>
  );
}

function CreatedConnection({ made }: { made: CreatedConnectionAnswer }) {
  const snippets = makeConnectionSnippets(made);
  return (
    <Panel title={`Connection string of ${made.name}`} tone="pine">
      <SecretBox secret={made.connection_string} label="connection string" note="This is the only time the password is shown. Copy it now." />
      <dl className={classes.facts}>
        <div><dt>Host</dt><dd>{made.host}</dd></div>
        <div><dt>Port</dt><dd>{made.port}</dd></div>
        <div><dt>Database</dt><dd>{made.database}</dd></div>
        <div><dt>User</dt><dd>{made.user}</dd></div>
        <div><dt>TLS</dt><dd>{made.tls ? 'required' : 'off (loopback only)'}</dd></div>
      </dl>
      <Tabs defaultValue={snippets[0]?.label ?? null} keepMounted={false}>
        <Tabs.List aria-label="Client">
          {snippets.map((snippet) => <Tabs.Tab key={snippet.label} value={snippet.label}>{snippet.label}</Tabs.Tab>)}
        </Tabs.List>
        {snippets.map((snippet) => (
          <Tabs.Panel key={snippet.label} value={snippet.label} pt={10}>
            <CodeBlock code={snippet.code} language={snippet.language} label={`${snippet.label} command`} wrap />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Panel>
  );
}
