import type { QueryMode } from '../../data/query-runs/run-query.js';
import { useKept } from '../../ui/use-kept.js';

/** One run in this browser. `told`: rows, or why there are none. */
export interface PastRun {
  readonly at: string;
  readonly text: string;
  readonly mode: QueryMode;
  readonly told: string;
  readonly isGood: boolean;
}

const RUNS_MAX = 100;
const NONE: readonly PastRun[] = [];

/** What was run here, newest first; the same text stands once. The last puts other runs in the place of all. */
export function useQueryHistory(databaseId: string): [readonly PastRun[], (run: PastRun) => void, (runs: readonly PastRun[]) => void] {
  const [runs, setRuns] = useKept<readonly PastRun[]>(`rowhouse-runs-${databaseId}`, NONE);
  const add = (run: PastRun): void => setRuns((old) => [run, ...old.filter((past) => past.text !== run.text)].slice(0, RUNS_MAX));
  return [runs, add, setRuns];
}
