import type { DetectStore } from '@rowhouse/platform-store';
import type { Logger } from '@rowhouse/runtime';

/** Handles requests from gateways whose login a server has rejected. */
export interface RepairService {
  /**
   * Checks the accounts of a database and marks the request as handled. Does nothing if the accounts were
   * checked a moment ago.
   */
  ask(databaseId: string): Promise<void>;
}

export interface RepairServiceParts {
  readonly detects: Pick<DetectStore, 'markRepaired'>;
  readonly logger: Logger;
}

const GAP_MIN_MS = 1_000;
/**
 * The maximum delay before a check. The delay doubles after a check that finds nothing, or that follows soon
 * after a repair.
 */
const GAP_MAX_MS = 30_000;
const CALM_MS = 120_000;

interface Entry {
  gapMs: number;
  lastAtMs: number;
  running: Promise<void> | null;
}

/** Runs one check at a time for each database. If an account breaks repeatedly, the delays grow. */
export function createRepairService(
  { detects, logger }: RepairServiceParts,
  sweep: { runFor(databaseId: string): Promise<number> },
  nowMs: () => number = () => performance.now(),
): RepairService {
  const entries = new Map<string, Entry>();

  function entryOf(databaseId: string): Entry {
    for (const [id, { lastAtMs, running }] of entries)
      if (running === null && nowMs() - lastAtMs > CALM_MS) entries.delete(id);
    const entry = entries.get(databaseId) ?? { gapMs: 0, lastAtMs: Number.NEGATIVE_INFINITY, running: null };
    entries.set(databaseId, entry);
    return entry;
  }

  async function look(databaseId: string, entry: Entry): Promise<void> {
    entry.lastAtMs = nowMs();
    entry.gapMs = Math.min(GAP_MAX_MS, Math.max(GAP_MIN_MS, entry.gapMs * 2));
    const repaired = await sweep.runFor(databaseId);
    if (repaired === 0)
      logger.info(
        { database: databaseId },
        'a gateway reported a rejected login, but the account is correct now',
      );
    await detects.markRepaired(databaseId);
  }

  return {
    async ask(databaseId) {
      const entry = entryOf(databaseId);
      if (entry.running === null && nowMs() - entry.lastAtMs < entry.gapMs) return;
      entry.running ??= look(databaseId, entry).finally(() => (entry.running = null));
      await entry.running;
    },
  };
}
