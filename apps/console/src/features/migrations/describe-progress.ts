import type { MigrationResponse } from '@rowhouse/contracts';
import { formatCount } from '../../ui/format-number.js';

/**
 * Describes the progress of a long copy: the share done from 0 to 1, and a text with the remaining time.
 * Returns null when there is nothing to count.
 */
export function describeProgress(
  migration: Pick<MigrationResponse, 'rows_done' | 'rows_total' | 'eta_seconds' | 'progress'>,
): { readonly share: number; readonly words: string } | null {
  const { rows_done: done, rows_total: total, eta_seconds: eta } = migration;
  if (done === null || total === null || total <= 0) return null;
  const share = Math.min(1, done / total);
  const left = eta === null ? '' : `, about ${describeDuration(eta * 1_000)} left`;
  return {
    share,
    words: `${formatCount(done)} of about ${formatCount(Math.max(done, total))} rows copied (${Math.floor(share * 100)} %)${left}`,
  };
}

/** Returns `340 ms`, `12 s`, `3 min 5 s` or `2 h 10 min`. */
export function describeDuration(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  const seconds = Math.round(durationMs / 1_000);
  if (seconds < 10) return `${(durationMs / 1_000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
