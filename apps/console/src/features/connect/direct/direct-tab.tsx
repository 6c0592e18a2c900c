import type { CreatedConnectionResponse, DatabaseResponse } from '@rowhouse/contracts';
import { CA_FILE_NAME } from '@rowhouse/contracts/constants';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { testConnection } from '../../../data/connections/mutations.js';
import { connectionsQuery } from '../../../data/connections/queries.js';
import { EmptyState } from '../../../ui/notices/empty-state.js';
import { QueryErrorNotice } from '../../../ui/notices/error-notice.js';
import { Panel } from '../../../ui/layout/panel.js';
import { SecretBox } from '../../../ui/code/secret-box.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';
import { SnippetTabs } from '../../../ui/code/snippet-tabs.js';
import { useCurrentDatabase, useMay } from '../../shell/current-database.js';
import classes from '../connect.module.css';
import { ConnectionForm } from './connection-form.js';
import { ConnectionList } from './connection-list.js';
import { ConnectionTest } from './connection-test.js';
import { describeSignIn } from './describe-test.js';
import { DirectAccessPanel } from './direct-access-panel.js';
import { makeConnectionSnippets } from './make-connection-snippet.js';

interface DirectTabProps {
  /** The connection that was created last. Its connection string is shown only once. */
  readonly created: CreatedConnectionResponse | null;
  readonly onCreated: (created: CreatedConnectionResponse | null) => void;
}

/**
 * Creates, rotates and revokes database users for direct connections. A connection string is shown only once.
 */
export function DirectTab({ created, onCreated: onMade }: DirectTabProps) {
  const { project, database } = useCurrentDatabase();
  const mayChange = useMay(project, 'developer');
  const connections = useQuery(connectionsQuery(database.id));
  return (
    <div className={classes.stack}>
      {created ? (
        <CreatedConnection key={created.connection_string} created={created} database={database} />
      ) : null}
      {mayChange ? (
        <Panel
          title={created ? 'Another connection string' : 'New connection string'}
          note={`Creates a separate MySQL user in ${database.environment}. Use one per person or app.`}
        >
          <ConnectionForm database={database} onCreated={onMade} />
        </Panel>
      ) : null}
      {connections.isPending ? <SkeletonRows rows={3} /> : null}
      <QueryErrorNotice title="Couldn’t load the connections" query={connections} />
      {connections.data?.length === 0 ? (
        <EmptyState title="No connection strings yet">
          {mayChange
            ? 'Create one to use any MySQL client.'
            : 'Ask a developer of this project to create one for you.'}
        </EmptyState>
      ) : null}
      {connections.data && connections.data.length > 0 ? (
        <Panel title="Connections" flush>
          <ConnectionList
            database={database}
            connections={connections.data}
            mayChange={mayChange}
            onRotated={onMade}
            onRevoked={(id) => (created?.id === id ? onMade(null) : undefined)}
          />
        </Panel>
      ) : null}
      <DirectAccessPanel database={database} />
    </div>
  );
}

function CreatedConnection({
  created,
  database,
}: {
  created: CreatedConnectionResponse;
  database: DatabaseResponse;
}) {
  return (
    <Panel title={`Connection string for ${created.name}`} tone="pine">
      <SecretBox
        secret={created.connection_string}
        label="connection string"
        note="Copy it now. You won’t be able to see the password again."
      />
      <dl className={classes.facts}>
        <div>
          <dt>Host</dt>
          <dd>{created.host}</dd>
        </div>
        <div>
          <dt>Port</dt>
          <dd>{created.port}</dd>
        </div>
        <div>
          <dt>Database</dt>
          <dd>{created.database}</dd>
        </div>
        <div>
          <dt>User</dt>
          <dd>{created.user}</dd>
        </div>
        <div>
          <dt>TLS</dt>
          <dd>{created.tls ? 'required' : 'off (loopback only)'}</dd>
        </div>
      </dl>
      {created.ca === null ? null : (
        <p className={classes.note}>
          The server’s certificate is issued by its own CA.{' '}
          <Anchor href={`/api/databases/${database.id}/ca`} download={CA_FILE_NAME}>
            Download {CA_FILE_NAME}
          </Anchor>{' '}
          and keep it next to your program.
        </p>
      )}
      <ConnectionTest
        run={async () => describeSignIn(await testConnection(created.id, created.password), created)}
      />
      <SnippetTabs
        label="Client"
        kind="command"
        snippets={makeConnectionSnippets(created, database.engine)}
      />
    </Panel>
  );
}
