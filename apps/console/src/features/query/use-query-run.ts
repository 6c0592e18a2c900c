import type { DatabaseResponse } from '@rowhouse/contracts';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { toApiError } from '../../data/client/api-error.js';
import {
  type QueryInput,
  type QueryMode,
  type QueryResponse,
  runQuery,
} from '../../data/query-runs/run-query.js';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import { usePersistedState } from '../../ui/controls/use-persisted-state.js';

/**
 * A past run of a query in this browser. The browser stores these members, so their names must not change.
 */
export interface PastRun {
  readonly at: string;
  readonly text: string;
  readonly mode: QueryMode;
  /** The outcome as text: the number of rows, or the error code. */
  readonly told: string;
  readonly isGood: boolean;
}

const RUNS_MAX = 100;

const NONE: readonly PastRun[] = [];
/** Runs one query at a time and can cancel it. Each run is added to the history. */
export function useQueryRun(database: DatabaseResponse, onRun: (run: PastRun) => void) {
  const abort = useRef<AbortController | null>(null);
  const run = useMutation({
    mutationFn: (input: QueryInput) => {
      abort.current?.abort();
      abort.current = new AbortController();
      return runQuery(database, input, abort.current.signal);
    },
    onSettled: (response, error, input) => {
      if (isCancelled(error) || input.write?.dryRun === true) return;
      onRun({
        at: new Date().toISOString(),
        text: input.text,
        mode: input.mode,
        isGood: response !== undefined,
        told: response === undefined ? toApiError(error).code : reportRows(response),
      });
    },
  });
  return { ...run, cancel: () => abort.current?.abort(), wasCancelled: isCancelled(run.error) };
}

function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

export function reportRows(response: QueryResponse): string {
  const count = response.affected_rows ?? response.row_count;
  return `${formatCountOf(count, 'row')}${response.affected_rows === undefined ? '' : ' changed'}`;
}

/**
 * Returns the past runs in this browser, newest first and each text only once, a function that adds a run,
 * and a function that replaces all runs.
 */
export function useQueryHistory(
  databaseId: string,
): [readonly PastRun[], (run: PastRun) => void, (runs: readonly PastRun[]) => void] {
  const [runs, setRuns] = usePersistedState<readonly PastRun[]>(`rowhouse-runs-${databaseId}`, NONE);
  const add = (run: PastRun): void =>
    setRuns((old) => [run, ...old.filter((past) => past.text !== run.text)].slice(0, RUNS_MAX));
  return [runs, add, setRuns];
}
