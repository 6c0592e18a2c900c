import type { DatabaseResponse } from '@rowhouse/contracts';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { LiveSchema } from '../../data/rows/queries.js';
import { useUndoNotice } from '../../ui/notices/use-undo-notice.js';
import { useQueryHistory } from './use-query-run.js';
import { QueryShelf } from './query-shelf.js';
import { closeTab, nameTab, openTab, putTab, type QueryTab, useQueryTabs } from './query-tabs.js';
import classes from './query.module.css';
import { QuerySheet } from './query-sheet.js';
import { useSavedInAddress } from './use-saved-in-address.js';

interface QueryWorkspaceProps {
  readonly database: DatabaseResponse;
  readonly schema: LiveSchema;
  /** The id of the saved query in the URL. */
  readonly savedId: string | undefined;
  readonly onSaved: (savedId: string | undefined) => void;
}

/**
 * The query page. Its tabs contain a question or SQL, the interpretation of the question, and the result.
 * Saved queries are listed below.
 */
export function QueryWorkspace({ database, schema, savedId, onSaved }: QueryWorkspaceProps) {
  const [state, change] = useQueryTabs(database.id);
  const [runs, addRun, putRuns] = useQueryHistory(database.id);
  const showUndoNotice = useUndoNotice();
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
      showUndoNotice(`${nameTab(entry)} closed.`, () => change((now) => openTab(now, entry)));
  };
  const forgetRuns = (): void => {
    putRuns([]);
    showUndoNotice('History cleared.', () => putRuns(runs));
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
