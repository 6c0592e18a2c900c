import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button, NativeSelect } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop, IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { toApiError } from '../../data/client/api-error.js';
import { useUpdateQuery } from '../../data/query-runs/mutations.js';
import type { QueryResponse, QueryMode } from '../../data/query-runs/run-query.js';
import type { LiveSchema } from '../../data/rows/queries.js';
import { quoteName } from '../../data/schema/quote-name.js';
import { formatCount } from '../../ui/format-number.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { lazyDialog } from '../../ui/lazy-dialog.js';
import { lazyPart } from '../../ui/lazy-part.js';
import { Panel } from '../../ui/panel.js';
import { Segments } from '../../ui/segments.js';
import { SkeletonRows } from '../../ui/skeleton-rows.js';
import { Tag } from '../../ui/tag.js';
import { useUndoNotice } from '../../ui/use-undo-notice.js';
import { LazySqlEditor } from '../schema/lazy-sql-editor.js';
import type { TextLocation } from '../schema/editor-mark.js';
import { ConfirmWrite, AFFECTED_MAX } from './confirm-write.js';
import { fillParams } from './fill-params.js';
import { formatSql } from './format-sql.js';
import { isWrite } from './is-write.js';
import { useQueryHistory } from './query-history.js';
import { QueryShelf } from './query-shelf.js';
import { closeTab, nameTab, openTab, putTab, type QueryTab } from './query-tabs.js';
import classes from './query.module.css';
import { SampleQuestions } from './sample-questions.js';
import { useQueryRun } from './use-query-run.js';
import { useQueryTabs } from './use-query-tabs.js';
import { useSavedInAddress } from './use-saved-in-address.js';

const QueryAnswerView = lazyPart(
  () => import('./query-outcome.js').then((module) => module.QueryResultView),
  <SkeletonRows rows={5} height={40} />,
);
const QueryRefusal = lazyPart(
  () => import('./query-outcome.js').then((module) => module.QueryRejection),
  <SkeletonRows rows={2} height={40} />,
);
const SaveQueryDialog = lazyDialog(() =>
  import('./save-query-dialog.js').then((module) => module.SaveQueryDialog),
);

const LIMITS = ['100', '1000', '10000'];

interface QueryWorkspaceProps {
  readonly database: DatabaseResponse;
  readonly schema: LiveSchema;
  /** The id of the saved query in the URL. */
  readonly savedId: string | undefined;
  readonly onSaved: (savedId: string | undefined) => void;
}

/** The query page: tabs with a question or SQL, the interpretation, the result, and the saved queries. */
export function QueryWorkspace({ database, schema, savedId, onSaved }: QueryWorkspaceProps) {
  const [state, change] = useQueryTabs(database.id);
  const [runs, addRun, putRuns] = useQueryHistory(database.id);
  const tell = useUndoNotice();
  const tab = state.tabs.find((candidate) => candidate.id === state.activeId) ?? (state.tabs[0] as QueryTab);
  const canWrite = schema.scopes.includes('write');
  const open = (next: Omit<QueryTab, 'id'>): void =>
    change((now) =>
      openTab(now, { text: next.text, mode: next.mode, ...(next.saved ? { saved: next.saved } : {}) }),
    );
  useSavedInAddress({
    database,
    tab,
    savedId,
    onSaved,
    onOpen: (query) =>
      open({ text: query.query, mode: query.kind, saved: { id: query.id, name: query.name } }),
  });
  const close = (entry: QueryTab): void => {
    change((now) => closeTab(now, entry.id));
    if (entry.text.trim() !== '')
      tell(`${nameTab(entry)} closed.`, () => change((now) => openTab(now, entry)));
  };
  const forgetRuns = (): void => {
    putRuns([]);
    tell('History cleared.', () => putRuns(runs));
  };
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        <div className={classes.tabs} role="group" aria-label="Query tabs">
          {state.tabs.map((entry) => (
            <span key={entry.id} className={classes.tab} data-active={entry.id === tab.id || undefined}>
              <button
                type="button"
                aria-pressed={entry.id === tab.id}
                onClick={() => change((now) => ({ ...now, activeId: entry.id }))}
              >
                {nameTab(entry)}
              </button>
              {state.tabs.length > 1 || entry.text !== '' ? (
                <button type="button" aria-label={`Close ${nameTab(entry)}`} onClick={() => close(entry)}>
                  <IconX size={13} />
                </button>
              ) : null}
            </span>
          ))}
          <button
            type="button"
            className={classes.add}
            aria-label="New query tab"
            onClick={() => change((now) => openTab(now, { text: '', mode: 'auto' }))}
          >
            <IconPlus size={16} />
          </button>
        </div>
        <QuerySheet
          key={`${tab.id} ${tab.saved?.id ?? ''}`}
          database={database}
          schema={schema}
          tab={tab}
          canWrite={canWrite}
          onChange={(next) => change((now) => putTab(now, next))}
          onRan={addRun}
        />
      </div>
      <QueryShelf database={database} runs={runs} canWrite={canWrite} onOpen={open} onForget={forgetRuns} />
    </div>
  );
}

interface QuerySheetProps {
  readonly database: DatabaseResponse;
  readonly schema: LiveSchema;
  readonly tab: QueryTab;
  readonly canWrite: boolean;
  readonly onChange: (tab: QueryTab) => void;
  readonly onRan: Parameters<typeof useQueryRun>[1];
}

function QuerySheet({ database, schema, tab, canWrite, onChange, onRan }: QuerySheetProps) {
  const run = useQueryRun(database, onRan);
  const update = useUpdateQuery(database.id);
  const [limit, setLimit] = useState('1000');
  const [writing, setWriting] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const rowsMax = Number(limit);
  const start = (text: string, mode: QueryMode = tab.mode): void => {
    if (text.trim() === '') return;
    if (mode !== 'question' && isWrite(text)) return setWriting(text);
    run.mutate({ text, mode, limit: rowsMax });
  };
  const take = (text: string, mode: QueryMode): void => {
    onChange({ ...tab, text, mode });
    start(text, mode);
  };
  const editSql = (sql: string): void => onChange({ id: tab.id, text: sql, mode: 'sql', question: tab.text });
  const explain = (response: QueryResponse): void =>
    run.mutate({ text: `EXPLAIN ${fillParams(response)}`, mode: 'sql', limit: rowsMax });
  const isAsIs = run.variables?.text === tab.text;
  const kind =
    tab.mode === 'question' || (tab.mode === 'auto' && run.data !== undefined && run.data.source !== 'sql')
      ? 'question'
      : 'sql';
  return (
    <>
      <Panel label="Query">
        <LazySqlEditor
          label="Query editor"
          value={tab.text}
          onChange={(text) => onChange({ ...tab, text })}
          tables={schema.tables}
          onSubmit={(selected) => start(selected ?? tab.text)}
          mark={run.isError && isAsIs ? locationOf(run.error) : null}
          placeholder={`Ask a question\n— or —\n${sampleSql(schema)}`}
          heightMin={132}
          heightMax={360}
        />
        <div className={classes.tools}>
          {run.isPending ? (
            <Button color="brick" leftSection={<IconPlayerStop size={16} />} onClick={run.cancel}>
              Cancel
            </Button>
          ) : (
            <Button
              leftSection={<IconPlayerPlay size={16} />}
              disabled={tab.text.trim() === ''}
              onClick={() => start(tab.text)}
            >
              Run
            </Button>
          )}
          <Segments
            aria-label="Mode"
            data={[
              { value: 'auto', label: 'Auto' },
              { value: 'question', label: 'Question' },
              { value: 'sql', label: 'SQL' },
            ]}
            value={tab.mode}
            onChange={(mode) => onChange({ ...tab, mode: mode as QueryMode })}
          />
          <span className={classes.limit} title="Maximum rows returned. Queries time out after 10 seconds.">
            <NativeSelect
              size="xs"
              aria-label="Maximum rows"
              data={LIMITS.map((value) => ({ value, label: `${formatCount(Number(value))} rows` }))}
              value={limit}
              onChange={(event) => setLimit(event.currentTarget.value)}
            />
          </span>
          {canWrite ? null : (
            <span title="Your role can only read rows. Statements that change rows are rejected.">
              <Tag>read only</Tag>
            </span>
          )}
          <span className={classes.hint} title="Runs the text, or the selected part of it">
            <kbd>Ctrl+Enter</kbd>
          </span>
          {tab.mode !== 'question' && isSqlLike(tab.text) ? (
            <Button
              size="xs"
              variant="default"
              onClick={() => onChange({ ...tab, text: formatSql(tab.text) })}
            >
              Format
            </Button>
          ) : null}
          {canWrite && tab.saved ? (
            <Button
              size="xs"
              variant="default"
              loading={update.isPending}
              onClick={() => update.mutate({ id: tab.saved?.id ?? '', query: tab.text, kind })}
            >
              Save
            </Button>
          ) : null}
          {canWrite ? (
            <Button
              size="xs"
              variant="default"
              disabled={tab.text.trim() === ''}
              onClick={() => setSaving(true)}
            >
              {tab.saved ? 'Save as…' : 'Save…'}
            </Button>
          ) : null}
        </div>
        {update.isError ? <ErrorNotice title="Couldn’t save the query" error={update.error} /> : null}
      </Panel>
      {tab.text === '' && !run.isPending && run.data === undefined && !run.isError ? (
        <SampleQuestions database={database} onTake={(text) => take(text, 'question')} />
      ) : null}
      {run.isPending ? (
        <p className={classes.none} role="status">
          Running…
        </p>
      ) : null}
      {run.wasCancelled ? (
        <p className={classes.none} role="status">
          Canceled. The statement was stopped on the server.
        </p>
      ) : null}
      {run.isError && !run.wasCancelled ? (
        <QueryRefusal error={run.error} onTake={take} onRetry={() => run.mutate(run.variables)} />
      ) : null}
      {run.data && !run.isPending ? (
        <QueryAnswerView
          key={run.data.request_id}
          database={database}
          answer={run.data}
          tables={schema.tables.map(({ name }) => name)}
          question={tab.question}
          canJudge={canWrite}
          onEditSql={editSql}
          onExplain={explain}
        />
      ) : null}
      <ConfirmWrite
        database={database}
        text={writing}
        onClose={() => setWriting(null)}
        onConfirm={() => {
          run.mutate({
            text: writing ?? '',
            mode: 'sql',
            limit: rowsMax,
            write: { dryRun: false, affectedMax: AFFECTED_MAX },
          });
          setWriting(null);
        }}
      />
      <SaveQueryDialog
        opened={isSaving}
        database={database}
        text={tab.text}
        kind={kind}
        onSaved={(saved) => onChange({ ...tab, saved })}
        onClose={() => setSaving(false)}
      />
    </>
  );
}

/** Returns a statement that runs in this database. */
function sampleSql({ tables }: LiveSchema): string {
  const [first] = tables;
  return first === undefined
    ? 'SELECT 1'
    : `SELECT * FROM ${/^\w+$/.test(first.name) ? first.name : quoteName(first.name)} LIMIT 10`;
}

/** Returns the position of the error that the server reported. */
function locationOf(error: unknown): TextLocation | null {
  const { line, column } = toApiError(error).extra;
  return typeof line === 'number' ? { line, column: typeof column === 'number' ? column : undefined } : null;
}

/** Returns whether a text looks like a statement. Questions are not formatted. */
function isSqlLike(text: string): boolean {
  return /^\W*(select|with|insert|replace|update|delete|explain)\b/i.test(text);
}
