import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { toTablePath } from '../../data/gateway/call-gateway.js';
import type { GatewayCall } from '../../data/gateway/run-call.js';
import { readSessionSecret } from '../../data/gateway/session-keys.js';
import { useHeldSecret } from '../../data/keys/key-vault.js';
import type { TableView } from '../../data/schema/read-tables.js';
import { Panel } from '../../ui/layout/panel.js';
import { SecretBox } from '../../ui/code/secret-box.js';
import { Segments } from '../../ui/controls/segments.js';
import { QuickKeyButton } from '../keys/quick-key-button.js';
import { useCurrentDatabase, useMay } from '../shell/current-database.js';
import { CallSnippets } from '../snippets/call-snippets.js';
import { makeSampleRow } from '../snippets/make-sample-row.js';
import { pickSampleTable, pickWritableTable } from '../snippets/pick-sample-table.js';
import classes from './first-call-panel.module.css';
import { RunPanel } from './run-panel.js';

/**
 * Guides a new user to the first response of the data API. It offers to create a key, shows a call that works
 * unchanged, and has a button that runs the call.
 */
export function FirstCallPanel({
  database,
  tables,
}: {
  database: DatabaseResponse;
  tables: readonly TableView[];
}) {
  const { project } = useCurrentDatabase();
  const canCreate = useMay(project, 'developer');
  const held = useHeldSecret(database.id);
  const calls = listCalls(tables);
  const [chosen, setChosen] = useState(0);
  const call = (calls[chosen] ?? calls[0]) as SampleCall;
  const whenEmpty =
    calls.length > 1 && chosen === 0 ? (
      <div className={classes.ask}>
        <span>It works. This table has no rows yet.</span>
        <Button size="xs" variant="default" onClick={() => setChosen(1)}>
          Add the first row
        </Button>
      </div>
    ) : undefined;
  return (
    <Panel
      title={held?.isFirst === true ? 'Your API is live' : 'Try the API'}
      note={
        held?.isFirst === true
          ? `Every table in ${database.environment} has endpoints under /v1/-. Here’s your first API key.`
          : 'Base path: /v1/-'
      }
      tone={held?.isFirst === true ? 'pine' : undefined}
      actions={
        calls.length > 1 ? (
          <Segments
            aria-label="Sample call"
            data={calls.map((entry, index) => ({ value: String(index), label: entry.label }))}
            value={String(chosen)}
            onChange={(value) => setChosen(Number(value))}
          />
        ) : undefined
      }
    >
      {held === null ? null : (
        <SecretBox
          secret={held.secret}
          label="API key"
          note={`${held.name}: copy this key now. You won’t be able to see it again.`}
        />
      )}
      <CallSnippets baseUrl={database.base_url} request={call.request} secret={held?.secret ?? null} />
      {held === null && canCreate ? (
        <div className={classes.ask}>
          <QuickKeyButton database={database} />
          <span className="rh-dim">Create a key to fill in and run these examples.</span>
        </div>
      ) : (
        <RunPanel
          key={`${database.id}-${chosen}`}
          baseUrl={database.base_url}
          secret={held?.secret ?? (() => readSessionSecret(database.id))}
          request={call.request}
          whenEmpty={whenEmpty}
        />
      )}
    </Panel>
  );
}

interface SampleCall {
  readonly label: string;
  readonly request: GatewayCall;
}

/**
 * Lists the sample calls. The first one reads, because that always works. The second one adds a row to a
 * table whose rows need no row of another table.
 */
function listCalls(tables: readonly TableView[]): SampleCall[] {
  const readable = pickSampleTable(tables);
  if (readable === null) return [{ label: 'Health', request: { method: 'GET', path: '/health' } }];
  const calls: SampleCall[] = [
    { label: `Read ${readable.path}`, request: { method: 'GET', path: `${toTablePath(readable)}?limit=3` } },
  ];
  const writable = pickWritableTable(tables);
  if (writable)
    calls.push({
      label: `Add to ${writable.path}`,
      request: { method: 'POST', path: toTablePath(writable), body: makeSampleRow(writable) },
    });
  return calls;
}
