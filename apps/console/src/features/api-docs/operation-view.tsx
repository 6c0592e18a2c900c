import type { DatabaseResponse } from '@rowhouse/contracts';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { toTablePath } from '../../data/gateway/call-gateway.js';
import { readSessionSecret } from '../../data/gateway/session-keys.js';
import type { GatewayCall } from '../../data/gateway/run-call.js';
import { chooseSecret, useHeldSecret, useHeldSecrets } from '../../data/keys/key-vault.js';
import type { TableView } from '../../data/schema/read-tables.js';
import { RunPanel } from '../first-call/run-panel.js';
import { CallSnippets } from '../snippets/call-snippets.js';
import { readJsonBody } from '../../ui/formatting/read-json-body.js';
import classes from './api-docs.module.css';
import type { Operation } from './list-operations.js';
import { readListQuery, writeListQuery, type ListQuery } from './list-query.js';
import { makeMcpCall } from './make-mcp-call.js';
import { QueryBuilder } from './query-builder.js';

interface OperationViewProps {
  readonly database: DatabaseResponse;
  readonly table: TableView;
  readonly operation: Operation;
  /** The query of a list request, as it is stored in the URL of this page. */
  readonly query: string | undefined;
  readonly onQuery: (query: string) => void;
}

/** Shows one operation: its inputs, code for the call in several languages, and a button that runs it. */
export function OperationView({ database, table, operation, query, onQuery }: OperationViewProps) {
  const held = useHeldSecret(database.id);
  const samplePath = operation.call.path;
  const sample = samplePath.slice(samplePath.lastIndexOf('/') + 1);
  const [id, setId] = useState(sample);
  const [body, setBody] = useState(
    operation.call.body === undefined ? '' : JSON.stringify(operation.call.body, null, 2),
  );
  const isList = operation.id === 'list';
  const hasId = operation.template.endsWith('/{id}');
  const [conditions, setConditions] = useState(() => readListQuery(query ?? samplePath.split('?')[1] ?? ''));
  const listQuery = writeListQuery(conditions);
  // The builder shows conditions without a value, but the URL does not contain them.
  const putConditions = (next: ListQuery): void => {
    setConditions(next);
    onQuery(writeListQuery(next));
  };
  const parsed = readJsonBody(body);
  const path = isList
    ? `${toTablePath(table)}${listQuery === '' ? '' : `?${listQuery}`}`
    : hasId
      ? `${toTablePath(table)}/${id}`
      : toTablePath(table);
  const request: GatewayCall = {
    method: operation.method,
    path,
    ...(operation.call.body === undefined ? {} : { body: parsed.value }),
  };
  const isReady = parsed.fault === null && (!hasId || id !== '');
  return (
    <div className={classes.view}>
      <p className={classes.template}>
        <span className="rh-mono">
          {operation.method} /v1/-{operation.template}
        </span>
      </p>
      {isList ? <QueryBuilder table={table} query={conditions} onChange={putConditions} /> : null}
      {hasId ? (
        <TextInput
          size="xs"
          label={table.primaryKey.join(', ') || 'id'}
          aria-label="ID"
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
          w={220}
        />
      ) : null}
      {operation.call.body === undefined ? null : (
        <Textarea
          label="Body"
          aria-label="Body as JSON"
          autosize
          minRows={3}
          maxRows={14}
          value={body}
          error={parsed.fault}
          onChange={(event) => setBody(event.currentTarget.value)}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
          spellCheck={false}
        />
      )}
      <CallSnippets
        baseUrl={database.base_url}
        request={request}
        secret={held?.secret ?? null}
        more={{
          label: 'MCP',
          language: 'json',
          code: makeMcpCall(table, operation, { id, query: listQuery, body: parsed.value }),
        }}
      />
      {held === null ? (
        <p className={classes.source}>
          Replace $ROWHOUSE_KEY with an API key, or create one here. You can run the examples without a key.
        </p>
      ) : null}
      {isReady ? (
        <RunPanel
          baseUrl={database.base_url}
          secret={held?.secret ?? (() => readSessionSecret(database.id))}
          request={request}
          variant="default"
          caption={operation.writes ? `Run it on ${database.environment}` : 'Run'}
        />
      ) : null}
    </div>
  );
}

/**
 * Selects the API key for the examples from the keys created in this tab. Shows nothing unless there are
 * several.
 */
export function KeyChoice({ databaseId }: { databaseId: string }) {
  const held = useHeldSecrets(databaseId);
  if (held.length < 2) return null;
  // The options are sorted, because the list of held secrets starts with the selected one, which would change
  // the order.
  const options = [...held]
    .sort((a, b) => a.name.localeCompare(b.name) || a.secret.localeCompare(b.secret))
    .map(({ secret, name }) => ({ value: secret, label: `${name} …${secret.slice(-4)}` }));
  return (
    <NativeSelect
      aria-label="API key for the examples"
      data={options}
      value={held[0]?.secret}
      onChange={(event) => chooseSecret(databaseId, event.currentTarget.value)}
    />
  );
}
