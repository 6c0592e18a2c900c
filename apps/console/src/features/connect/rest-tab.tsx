import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { toGatewayAddress, toTablePath } from '../../data/gateway/call-gateway.js';
import type { GatewayCall } from '../../data/gateway/run-call.js';
import { readSessionSecret } from '../../data/gateway/session-keys.js';
import { useHeldSecret } from '../../data/keys/key-vault.js';
import { workingSchemaQuery } from '../../data/schema/queries.js';
import { CodeBlock } from '../../ui/code/code-block.js';
import { Panel } from '../../ui/layout/panel.js';
import { Segments } from '../../ui/controls/segments.js';
import { RunPanel } from '../first-call/run-panel.js';
import { QuickKeyButton } from '../keys/quick-key-button.js';
import { useCurrentDatabase, useMay } from '../shell/current-database.js';
import { CallSnippets } from '../snippets/call-snippets.js';
import { makeSampleRow } from '../snippets/make-sample-row.js';
import { pickSampleTable } from '../snippets/pick-sample-table.js';
import classes from './connect.module.css';
import { SecretBox } from '../../ui/code/secret-box.js';

/** The tab for REST: the base URL, an API key, and common calls in three languages. */
export function RestTab() {
  const { project, database } = useCurrentDatabase();
  const held = useHeldSecret(database.id);
  const schema = useQuery(workingSchemaQuery(project.id));
  const table = pickSampleTable(schema.data?.tables ?? []);
  const path = toTablePath(table ?? { path: 'posts' });
  const calls: Record<string, GatewayCall> = {
    List: {
      method: 'GET',
      path: `${path}?limit=10&sort=${encodeURIComponent(table?.primaryKey[0] ?? 'id')}&order=desc`,
    },
    Read: { method: 'GET', path: `${path}/1` },
    Create: { method: 'POST', path, body: table ? makeSampleRow(table) : {} },
    Query: {
      method: 'POST',
      path: '/query',
      body: { query: `SELECT count(*) AS total FROM ${table?.name ?? 'posts'}` },
    },
  };
  const [chosen, setChosen] = useState('List');
  const request = calls[chosen] as GatewayCall;
  return (
    <div className={classes.stack}>
      <Panel title="Base URL" note="Send your key in the Authorization: Bearer or X-API-Key header.">
        <CodeBlock
          code={toGatewayAddress(database.base_url, '').replace(/\/$/, '')}
          language="text"
          label="Base URL"
        />
      </Panel>
      <HeldKeyPanel
        databaseId={database.id}
        note="We store only a hash of your keys, so existing keys can’t be shown again."
      >
        <QuickKeyButton database={database} />
      </HeldKeyPanel>
      <Panel
        title="Examples"
        actions={<Segments aria-label="Call" data={Object.keys(calls)} value={chosen} onChange={setChosen} />}
      >
        <CallSnippets baseUrl={database.base_url} request={request} secret={held?.secret ?? null} />
        {held === null ? (
          <p className={classes.note}>
            Replace <code>$ROWHOUSE_KEY</code> with an API key. You can run this here without one.
          </p>
        ) : null}
        <RunPanel
          key={chosen}
          baseUrl={database.base_url}
          secret={held?.secret ?? (() => readSessionSecret(database.id))}
          request={request}
          variant="default"
          caption={chosen === 'Create' ? `Run it on ${database.environment}` : undefined}
        />
      </Panel>
    </div>
  );
}

/**
 * Shows the API key whose secret this browser tab holds. If it holds none, the panel offers ways to create a
 * key.
 */
export function HeldKeyPanel({
  databaseId,
  note,
  children,
}: {
  databaseId: string;
  note: string;
  children: ReactNode;
}) {
  const { project } = useCurrentDatabase();
  const canCreate = useMay(project, 'developer');
  const held = useHeldSecret(databaseId);
  return (
    <Panel title="API key" note={held === null ? note : undefined}>
      {held !== null ? (
        <SecretBox
          secret={held.secret}
          label="API key"
          note={`${held.name}: shown once, in this tab only.`}
        />
      ) : canCreate ? (
        <div className={classes.ask}>{children}</div>
      ) : (
        <p className={classes.note}>Ask a developer of this project to create a key for you.</p>
      )}
    </Panel>
  );
}
