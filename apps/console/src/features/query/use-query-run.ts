import type { DatabaseAnswer } from '@rowhouse/contracts';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { toApiError } from '../../data/client/api-error.js';
import { runQuery, type QueryAnswer, type QueryWish } from '../../data/query-runs/run-query.js';
import { tellCount } from '../../ui/format-number.js';
import type { PastRun } from './query-history.js';

/** Runs one query at a time, which can be canceled. Each run is added to the history. */
export function useQueryRun(database: DatabaseAnswer, onRun: (run: PastRun) => void) {
  const abort = useRef<AbortController | null>(null);
  const run = useMutation({
    mutationFn: (wish: QueryWish) => {
      abort.current?.abort();
      abort.current = new AbortController();
      return runQuery(database, wish, abort.current.signal);
    },
    onSettled: (answer, error, wish) => {
      if (isCancelled(error) || wish.write?.dryRun === true) return;
      onRun({ at: new Date().toISOString(), text: wish.text, mode: wish.mode, isGood: answer !== undefined, told: answer === undefined ? toApiError(error).code : tellRows(answer) });
    },
  });
  return { ...run, cancel: () => abort.current?.abort(), wasCancelled: isCancelled(run.error) };
}

function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

export function tellRows(answer: QueryAnswer): string {
  const count = answer.affected_rows ?? answer.row_count;
  return `${tellCount(count, 'row')}${answer.affected_rows === undefined ? '' : ' changed'}`;
}
