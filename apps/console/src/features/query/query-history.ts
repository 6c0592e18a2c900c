import type { QueryMode } from '../../data/query-runs/run-query.js';
import { usePersistedState } from '../../ui/use-persisted-state.js';

/** One run in this browser. `told` is the number of rows, or the reason why there are none. */
export interface PastRun {
  readonly at: string;
  readonly text: string;
  readonly mode: QueryMode;
  readonly told: string;
  readonly isGood: boolean;
}

const RUNS_MAX = 100;
const NONE: readonly PastRun[] = [];

/**
 * Returns the runs in this browser, newest first and without repeated texts, a function that adds a run, and
 * one that replaces all runs.
 */
export function useQueryHistory(
  databaseId: string,
): [readonly PastRun[], (run: PastRun) => void, (runs: readonly PastRun[]) => void] {
  const [runs, setRuns] = usePersistedState<readonly PastRun[]>(`rowhouse-runs-${databaseId}`, NONE);
  const add = (run: PastRun): void =>
    setRuns((old) => [run, ...old.filter((past) => past.text !== run.text)].slice(0, RUNS_MAX));
  return [runs, add, setRuns];
}
