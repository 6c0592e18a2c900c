import type { MigrationResponse, MigrationState } from '@rowhouse/contracts';
import type { TagTone } from '../../ui/layout/tag.js';
import { formatCount } from '../../ui/formatting/format-number.js';

interface StateText {
  readonly label: string;
  readonly tone: TagTone;
  readonly text: string;
}

const TEXTS: Record<MigrationState, StateText> = {
  draft: { label: 'draft', tone: 'plain', text: 'Not submitted yet.' },
  queued: { label: 'queued', tone: 'ochre', text: 'Waiting for a worker.' },
  running: { label: 'running', tone: 'harbour', text: 'Running…' },
  waiting_for_lock: {
    label: 'waiting for lock',
    tone: 'ochre',
    text: 'A transaction has locked the table. The worker retries without blocking other requests.',
  },
  waiting_for_repair: {
    label: 'waiting for repair',
    tone: 'ochre',
    text: 'The database server rejects Rowhouse’s account. The migration continues once your administrator fixes it.',
  },
  publishing: { label: 'publishing', tone: 'harbour', text: 'The gateways are switching to the new schema.' },
  cutting_over: {
    label: 'cutting over',
    tone: 'harbour',
    text: 'Replacing the table with its changed copy.',
  },
  verifying: { label: 'verifying', tone: 'harbour', text: 'Comparing the result with the plan.' },
  published: { label: 'published', tone: 'pine', text: 'The API is now using the new schema.' },
  reverting: { label: 'reverting', tone: 'ochre', text: 'Reverting the change.' },
  reverted: { label: 'reverted', tone: 'plain', text: 'The change was reverted.' },
  failed: { label: 'failed', tone: 'brick', text: 'The change failed.' },
  cancelled: { label: 'canceled', tone: 'plain', text: 'The change was canceled.' },
  needs_attention: {
    label: 'needs attention',
    tone: 'brick',
    text: 'This migration needs a manual decision.',
  },
};

/**
 * Describes the state of a migration. A state that this version of the console has no text for is shown by
 * its name.
 */
export function describeState(state: string): StateText {
  return TEXTS[state as MigrationState] ?? { label: state.replaceAll('_', ' '), tone: 'plain', text: '' };
}

const STAGES: readonly { label: string; states: readonly string[] }[] = [
  { label: 'Queued', states: ['draft', 'queued'] },
  { label: 'Running', states: ['running', 'waiting_for_lock', 'waiting_for_repair', 'cutting_over'] },
  { label: 'Publishing', states: ['publishing', 'verifying'] },
  { label: 'Published', states: ['published'] },
];

export interface Stage {
  readonly label: string;
  readonly kind: 'done' | 'now' | 'ahead' | 'stopped';
}

/**
 * Returns the four stages of a deploy with their status. If the migration fails or is canceled, the stages
 * stop at the second one.
 */
export function listStages(state: string): Stage[] {
  const found = STAGES.findIndex((stage) => stage.states.includes(state));
  const isStopped = found === -1;
  const position = isStopped ? 1 : found;
  return STAGES.map((stage, index) => {
    if (index < position || state === 'published') return { label: stage.label, kind: 'done' };
    if (index > position) return { label: stage.label, kind: 'ahead' };
    return isStopped
      ? { label: describeState(state).label, kind: 'stopped' }
      : { label: stage.label, kind: 'now' };
  });
}

/**
 * Describes the progress of a long copy: the completed share from 0 to 1, and a text with the remaining time.
 * Returns null if the migration reports no progress.
 */
export function describeProgress(
  migration: Pick<MigrationResponse, 'rows_done' | 'rows_total' | 'eta_seconds' | 'progress'>,
): { readonly share: number; readonly text: string } | null {
  const { rows_done: done, rows_total: total, eta_seconds: eta } = migration;
  if (done === null || total === null || total <= 0) return null;
  const share = Math.min(1, done / total);
  const left = eta === null ? '' : `, about ${describeDuration(eta * 1_000)} left`;
  return {
    share,
    text: `${formatCount(done)} of about ${formatCount(Math.max(done, total))} rows copied (${Math.floor(share * 100)} %)${left}`,
  };
}

/** Formats a duration, for example as `340 ms`, `12 s`, `3 min 5 s` or `2 h 10 min`. */
export function describeDuration(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  const seconds = Math.round(durationMs / 1_000);
  if (seconds < 10) return `${(durationMs / 1_000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
