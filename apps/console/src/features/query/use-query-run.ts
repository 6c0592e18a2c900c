import type { DatabaseResponse } from '@rowhouse/contracts';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { toApiError } from '../../data/client/api-error.js';
import { runQuery, type QueryResponse, type QueryInput } from '../../data/query-runs/run-query.js';
import { reportCount } from '../../ui/format-number.js';
import type { PastRun } from './query-history.js';

/** Runs one query at a time, which can be canceled. Each run is added to the history. */
export function useQueryRun(database: DatabaseResponse, onRun: (run: PastRun) => void) {
  const abort = useRef<AbortController | null>(null);
  const run = useMutation({
    mutationFn: (input: QueryInput) => {
      abort.current?.abort();
      abort.current = new AbortController();
      return runQuery(database, input, abort.current.signal);
    },
    onSettled: (answer, error, input) => {
      if (isCancelled(error) || input.write?.dryRun === true) return;
      onRun({
        at: new Date().toISOString(),
        text: input.text,
        mode: input.mode,
        isGood: answer !== undefined,
        told: answer === undefined ? toApiError(error).code : reportRows(answer),
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
  return `${reportCount(count, 'row')}${response.affected_rows === undefined ? '' : ' changed'}`;
}
