import type { DatabaseResponse, QuestionResponse, SavedQueryResponse } from '@rowhouse/contracts';
import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDeleteQuery } from '../../data/query-runs/mutations.js';
import { askedQuestionsQuery, savedQueriesQuery } from '../../data/query-runs/queries.js';
import type { QueryMode } from '../../data/query-runs/run-query.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { Panel } from '../../ui/layout/panel.js';
import { Segments } from '../../ui/controls/segments.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import type { PastRun } from './use-query-run.js';
import classes from './query.module.css';

interface QueryShelfProps {
  readonly database: DatabaseResponse;
  readonly runs: readonly PastRun[];
  readonly canWrite: boolean;
  readonly onOpen: (tab: { text: string; mode: QueryMode; saved?: { id: string; name: string } }) => void;
  readonly onForget: () => void;
}

/**
 * Lists the project's saved queries, the past runs in this browser, and the questions that all members have
 * asked.
 */
export function QueryShelf({ database, runs, canWrite, onOpen, onForget }: QueryShelfProps) {
  const [visible, setShown] = useState<'saved' | 'history' | 'asked'>('saved');
  return (
    <Panel title="Library">
      <div className={classes.side}>
        <Segments
          fullWidth
          aria-label="Library"
          data={[
            { value: 'saved', label: 'Saved' },
            { value: 'history', label: 'History' },
            { value: 'asked', label: 'Questions' },
          ]}
          value={visible}
          onChange={(value) => setShown(value as 'saved' | 'history' | 'asked')}
        />
        {visible === 'saved' ? (
          <SavedList database={database} canWrite={canWrite} onOpen={onOpen} />
        ) : visible === 'asked' ? (
          <AskedList database={database} onOpen={onOpen} />
        ) : runs.length === 0 ? (
          <p className={classes.none}>Your queries appear here. They’re stored in this browser only.</p>
        ) : (
          <>
            <ul className={classes.list} aria-label="History">
              {runs.map((run) => (
                <li key={run.text} className={classes.entry}>
                  <button type="button" onClick={() => onOpen(run)}>
                    <span>{run.text}</span>
                    <small data-bad={!run.isGood || undefined}>
                      {run.told} · <TimeText iso={run.at} isInControl />
                    </small>
                  </button>
                </li>
              ))}
            </ul>
            <div>
              <button type="button" className={classes.textButton} onClick={onForget}>
                Clear history
              </button>
            </div>
          </>
        )}
      </div>
    </Panel>
  );
}

function SavedList({
  database,
  canWrite,
  onOpen,
}: Pick<QueryShelfProps, 'database' | 'canWrite' | 'onOpen'>) {
  const saved = useQuery(savedQueriesQuery(database.id));
  const remove = useDeleteQuery(database.id);
  const [leaving, setLeaving] = useState<SavedQueryResponse | null>(null);
  if (saved.isPending) return <SkeletonRows rows={3} />;
  if (saved.isError)
    return (
      <ErrorNotice
        title="Couldn’t load saved queries"
        error={saved.error}
        onRetry={() => void saved.refetch()}
      />
    );
  if (saved.data.length === 0)
    return (
      <p className={classes.none}>Nothing saved yet. Saved queries are visible to everyone in the project.</p>
    );
  return (
    <>
      <ul className={classes.list} aria-label="Saved queries">
        {saved.data.map((query) => (
          <li key={query.id} className={classes.entry}>
            <button
              type="button"
              onClick={() =>
                onOpen({ text: query.query, mode: query.kind, saved: { id: query.id, name: query.name } })
              }
            >
              <span>{query.name}</span>
              <small>
                {query.kind === 'sql' ? 'SQL' : 'Question'} · <TimeText iso={query.updated_at} isInControl />
              </small>
            </button>
            {canWrite ? (
              <ActionIcon size="sm" aria-label={`Delete ${query.name}`} onClick={() => setLeaving(query)}>
                <IconTrash size={15} />
              </ActionIcon>
            ) : null}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={leaving !== null}
        title="Delete the saved query?"
        actionLabel="Delete"
        isPending={remove.isPending}
        error={remove.error}
        errorTitle="Couldn’t delete the query"
        onClose={() => setLeaving(null)}
        onConfirm={() => {
          if (leaving) remove.mutate(leaving.id, { onSuccess: () => setLeaving(null) });
        }}
      >
        <strong>{leaving?.name}</strong> will be deleted for everyone in the project.
      </ConfirmDialog>
    </>
  );
}

function AskedList({ database, onOpen }: Pick<QueryShelfProps, 'database' | 'onOpen'>) {
  const questions = useQuery(askedQuestionsQuery(database.id));
  if (questions.isPending) return <SkeletonRows rows={3} />;
  if (questions.isError)
    return (
      <ErrorNotice
        title="Couldn’t load questions"
        error={questions.error}
        onRetry={() => void questions.refetch()}
      />
    );
  if (questions.data.length === 0) return <p className={classes.none}>No questions yet.</p>;
  return (
    <ul className={classes.list} aria-label="Questions">
      {questions.data.map((entry) => (
        <li key={entry.id} className={classes.entry}>
          <button type="button" onClick={() => onOpen({ text: entry.question, mode: 'question' })}>
            <span>{entry.question}</span>
            <small data-bad={entry.code !== null || undefined}>
              {entry.code ?? nameSource(entry)} · <TimeText iso={entry.at} isInControl />
            </small>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Names how a question was answered, or how a member rated the answer. */
function nameSource({ verdict, source }: QuestionResponse): string {
  if (verdict !== null) return verdict === 'accepted' ? 'marked correct' : 'marked incorrect';
  if (source === 'llm') return 'language model';
  return source === 'cache' ? 'saved answer' : 'built-in rules';
}
