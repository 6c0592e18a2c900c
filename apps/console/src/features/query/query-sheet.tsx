import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button, NativeSelect } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { toApiError } from '../../data/client/api-error.js';
import { useUpdateQuery } from '../../data/query-runs/mutations.js';
import type { QueryResponse, QueryMode } from '../../data/query-runs/run-query.js';
import type { LiveSchema } from '../../data/rows/queries.js';
import { quoteName } from '../../data/schema/read-tables.js';
import { formatCount } from '../../ui/formatting/format-number.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
import { lazyPart } from '../../ui/loading/lazy-part.js';
import { Panel } from '../../ui/layout/panel.js';
import { Segments } from '../../ui/controls/segments.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { Tag } from '../../ui/layout/tag.js';
import { LazySqlEditor } from '../schema/editor/lazy-sql-editor.js';
import type { TextLocation } from '../schema/editor/editor-mark.js';
import { ConfirmWrite, AFFECTED_MAX } from './confirm-write.js';
import { fillParams, isWrite } from './sql/fill-params.js';
import { formatSql } from './sql/format-sql.js';
import type { QueryTab } from './query-tabs.js';
import classes from './query.module.css';
import { useQueryRun } from './use-query-run.js';
import { sampleQuestionsQuery } from '../../data/query-runs/queries.js';

const QueryResultPart = lazyPart(
  () => import('./result/query-outcome.js').then((module) => module.QueryResultView),
  <SkeletonRows rows={5} height={40} />,
);
const QueryRejectionView = lazyPart(
  () => import('./result/query-outcome.js').then((module) => module.QueryRejection),
  <SkeletonRows rows={2} height={40} />,
);
const SaveQueryDialog = lazyDialog(() =>
  import('./save-query-dialog.js').then((module) => module.SaveQueryDialog),
);

const LIMITS = ['100', '1000', '10000'];

interface QuerySheetProps {
  readonly database: DatabaseResponse;
  readonly schema: LiveSchema;
  readonly tab: QueryTab;
  readonly canWrite: boolean;
  readonly onChange: (tab: QueryTab) => void;
  readonly onRan: Parameters<typeof useQueryRun>[1];
}

/** Shows one tab of the query page: the editor, its tools, and the result of the last run. */
export function QuerySheet({ database, schema, tab, canWrite, onChange, onRan }: QuerySheetProps) {
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
        <QueryTools
          tab={tab}
          kind={kind}
          limit={limit}
          canWrite={canWrite}
          update={update}
          run={run}
          onRun={() => start(tab.text)}
          onChange={onChange}
          onLimit={setLimit}
          onSaveAs={() => setSaving(true)}
        />
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
        <QueryRejectionView error={run.error} onTake={take} onRetry={() => run.mutate(run.variables)} />
      ) : null}
      {run.data && !run.isPending ? (
        <QueryResultPart
          key={run.data.request_id}
          database={database}
          response={run.data}
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

interface QueryToolsProps {
  readonly tab: QueryTab;
  readonly kind: 'question' | 'sql';
  readonly limit: string;
  readonly canWrite: boolean;
  readonly update: ReturnType<typeof useUpdateQuery>;
  readonly run: ReturnType<typeof useQueryRun>;
  readonly onRun: () => void;
  readonly onChange: (tab: QueryTab) => void;
  readonly onLimit: (limit: string) => void;
  readonly onSaveAs: () => void;
}

/** The controls below the editor: run, mode, row limit, format and save. */
function QueryTools({
  tab,
  kind,
  limit,
  canWrite,
  update,
  run,
  onRun,
  onChange,
  onLimit,
  onSaveAs,
}: QueryToolsProps) {
  return (
    <div className={classes.tools}>
      {run.isPending ? (
        <Button color="brick" leftSection={<IconPlayerStop size={16} />} onClick={run.cancel}>
          Cancel
        </Button>
      ) : (
        <Button leftSection={<IconPlayerPlay size={16} />} disabled={tab.text.trim() === ''} onClick={onRun}>
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
          onChange={(event) => onLimit(event.currentTarget.value)}
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
        <Button size="xs" variant="default" onClick={() => onChange({ ...tab, text: formatSql(tab.text) })}>
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
        <Button size="xs" variant="default" disabled={tab.text.trim() === ''} onClick={onSaveAs}>
          {tab.saved ? 'Save as…' : 'Save…'}
        </Button>
      ) : null}
    </div>
  );
}

/** Returns a sample statement that works in this database. */
function sampleSql({ tables }: LiveSchema): string {
  const [first] = tables;
  return first === undefined
    ? 'SELECT 1'
    : `SELECT * FROM ${/^\w+$/.test(first.name) ? first.name : quoteName(first.name)} LIMIT 10`;
}

/** Returns the position of an error in the SQL text. Returns null if the server reported no line. */
function locationOf(error: unknown): TextLocation | null {
  const { line, column } = toApiError(error).extra;
  return typeof line === 'number' ? { line, column: typeof column === 'number' ? column : undefined } : null;
}

/** Returns whether a text looks like an SQL statement. Only SQL is formatted; a question is not. */
function isSqlLike(text: string): boolean {
  return /^\W*(select|with|insert|replace|update|delete|explain)\b/i.test(text);
}

/** Suggests questions that work on this schema. They are shown while the tab is empty. */
function SampleQuestions({
  database,
  onTake,
}: {
  database: DatabaseResponse;
  onTake: (question: string) => void;
}) {
  const { data: samples = [], isPending } = useQuery(sampleQuestionsQuery(database));
  // Space is reserved for the questions, so that the list below does not move on a phone when they appear.
  if (isPending) return <div className={classes.samplesSoon} />;
  if (samples.length === 0) return null;
  return (
    <section className={classes.samples} aria-label="Example questions">
      <p>Try one of these</p>
      <div className={classes.saidActions}>
        {samples.map((sample) => (
          <Button key={sample} size="compact-sm" variant="default" onClick={() => onTake(sample)}>
            {sample}
          </Button>
        ))}
      </div>
    </section>
  );
}
