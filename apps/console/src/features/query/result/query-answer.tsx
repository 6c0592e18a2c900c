import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useAcceptQuestion, useJudgeQuestion } from '../../../data/query-runs/mutations.js';
import type { QueryResponse } from '../../../data/query-runs/run-query.js';
import { CodeBlock } from '../../../ui/code/code-block.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { lazyDialog } from '../../../ui/dialogs/lazy-dialog.js';
import { Panel } from '../../../ui/layout/panel.js';
import { Segments } from '../../../ui/controls/segments.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';
import { Tag } from '../../../ui/layout/tag.js';
import { fillParams } from '../sql/fill-params.js';
import { listTablesUsed } from '../sql/list-tables-used.js';
import { ResultTable } from './result-table.js';
import classes from '../query.module.css';
import { reportRows } from '../use-query-run.js';

const ExportDialog = lazyDialog(() =>
  import('../../rows/transfer/export-dialog.js').then((module) => module.ExportDialog),
);

const ResultChart = lazy(() =>
  import('./result-chart.js').then((module) => ({ default: module.ResultChart })),
);

const SOURCES = {
  sql: 'SQL',
  rules: 'Question',
  llm: 'Question (language model)',
  cache: 'Question (saved answer)',
} as const;

interface QueryResultViewProps {
  readonly database: DatabaseResponse;
  readonly response: QueryResponse;
  /** The names of all live tables. */
  readonly tables: readonly string[];
  /** The question that this SQL answers. Undefined if the user wrote the SQL. */
  readonly question: string | undefined;
  readonly canJudge: boolean;
  readonly onEditSql: (sql: string) => void;
  readonly onExplain: (response: QueryResponse) => void;
}

/**
 * Shows the outcome of a query: how the question was interpreted, the SQL statement, and the rows as a table
 * or chart.
 */
export function QueryResultView({
  database,
  response,
  tables,
  question,
  canJudge,
  onEditSql,
  onExplain,
}: QueryResultViewProps) {
  const [view, setView] = useState<'rows' | 'chart'>('rows');
  const [isExporting, setExporting] = useState(false);
  const isQuestion = response.source !== 'sql';
  return (
    <Panel label="Answer">
      <div className={classes.facts} role="status" aria-label="Outcome">
        <Tag tone="pine" dot>
          {SOURCES[response.source]}
        </Tag>
        <strong>{reportRows(response)}</strong>
        {response.truncated ? <Tag tone="ochre">limited</Tag> : null}
        <span title="Total time, and time in the database">
          {Math.max(1, Math.round(response.timing.total_ms))} ms (database{' '}
          {Math.max(1, Math.round(response.timing.database_ms))} ms)
        </span>
        <span className={classes.gap} />
        {response.affected_rows === undefined ? (
          <>
            <Segments
              aria-label="View as"
              data={[
                { value: 'rows', label: 'Rows' },
                { value: 'chart', label: 'Chart' },
              ]}
              value={view}
              onChange={(value) => setView(value as 'rows' | 'chart')}
            />
            <Button size="xs" variant="default" onClick={() => onExplain(response)}>
              Explain
            </Button>
            <Button size="xs" variant="default" onClick={() => setExporting(true)}>
              Export
            </Button>
          </>
        ) : null}
      </div>
      {isQuestion ? (
        <Interpretation database={database} response={response} canJudge={canJudge} onEditSql={onEditSql} />
      ) : question === undefined ? null : (
        <AcceptSql database={database} question={question} sql={response.sql} />
      )}
      <TablesUsed database={database} names={listTablesUsed(response.sql, tables)} />
      {response.warnings.length > 0 ? (
        <ul className={classes.none}>
          {response.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      ) : null}
      {response.columns.length === 0 ? null : view === 'rows' ? (
        <ResultTable response={response} />
      ) : (
        <Suspense fallback={<SkeletonRows rows={5} height={40} />}>
          <ResultChart response={response} />
        </Suspense>
      )}
      {response.row_count === 0 && response.affected_rows === undefined ? (
        <p className={classes.none}>No rows.</p>
      ) : null}
      <ExportDialog
        opened={isExporting}
        database={database}
        fileName={`query-${database.environment}`}
        request={{
          method: 'POST',
          path: '/query',
          body: {
            query: response.sql,
            mode: 'sql',
            ...(response.params.length > 0 ? { params: response.params } : {}),
          },
        }}
        onClose={() => setExporting(false)}
      >
        Runs the query again and exports every row, without the row limit.
      </ExportDialog>
    </Panel>
  );
}

/** Links to the tables that the result was read from. */
function TablesUsed({ database, names }: { database: DatabaseResponse; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className={classes.none}>
      From{' '}
      {names.map((name, index) => (
        <span key={name}>
          {index === 0 ? '' : ', '}
          <Link
            to="/projects/$projectId/$environment/data/$table"
            params={{ projectId: database.project_id, environment: database.environment, table: name }}
          >
            {name}
          </Link>
        </span>
      ))}
    </p>
  );
}

/** Shows how a question was interpreted, with buttons for feedback. */
function Interpretation({
  database,
  response,
  canJudge,
  onEditSql,
}: Pick<QueryResultViewProps, 'database' | 'response' | 'canJudge' | 'onEditSql'>) {
  const judge = useJudgeQuestion(database.id);
  const id = response.question_id;
  return (
    <div className={classes.said}>
      {response.explanation === null ? null : <p>{response.explanation}</p>}
      {response.assumptions.length > 0 ? (
        <ul aria-label="Assumptions">
          {response.assumptions.map((assumption) => (
            <li key={assumption}>{assumption}</li>
          ))}
        </ul>
      ) : null}
      <CodeBlock code={fillParams(response)} language="sql" label="Generated SQL" wrap />
      <div className={classes.saidActions}>
        <Button size="compact-sm" variant="default" onClick={() => onEditSql(fillParams(response))}>
          Edit SQL
        </Button>
        {canJudge && id !== undefined ? (
          <>
            <Button
              size="compact-sm"
              variant="default"
              disabled={judge.isSuccess}
              onClick={() => judge.mutate({ id, verdict: 'accepted' })}
            >
              Correct
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              disabled={judge.isSuccess}
              onClick={() => judge.mutate({ id, verdict: 'rejected' })}
            >
              Incorrect
            </Button>
          </>
        ) : null}
        {judge.isSuccess ? (
          <span className="rh-dim" role="status">
            {judge.variables.verdict === 'accepted'
              ? 'Thanks. We’ll use this for similar questions.'
              : 'Thanks for the feedback.'}
          </span>
        ) : null}
      </div>
      {judge.isError ? <ErrorNotice title="Couldn’t save your feedback" error={judge.error} /> : null}
    </div>
  );
}

/** Saves an SQL statement as the correct answer to the question that it was written for. */
function AcceptSql({
  database,
  question,
  sql,
}: {
  database: DatabaseResponse;
  question: string;
  sql: string;
}) {
  const accept = useAcceptQuestion(database.id);
  return (
    <div className={classes.said}>
      <p>
        Question: <q>{question}</q>
      </p>
      <div className={classes.saidActions}>
        <Button
          size="compact-sm"
          loading={accept.isPending}
          disabled={accept.isSuccess}
          onClick={() => accept.mutate({ question, sql })}
        >
          Save as correct answer
        </Button>
        {accept.isSuccess ? (
          <span className="rh-dim" role="status">
            Saved. We’ll use this for similar questions.
          </span>
        ) : null}
      </div>
      {accept.isError ? <ErrorNotice title="Couldn’t save the answer" error={accept.error} /> : null}
    </div>
  );
}
