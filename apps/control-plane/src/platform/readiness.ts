import type { ReadinessReport } from '@rowhouse/runtime';
import type { PlatformDb } from '../platform-db/platform-db.js';

const CHECK_INTERVAL_MS = 1_000;

export interface Readiness {
  start(db: PlatformDb): void;
  markListening(): void;
  report(): ReadinessReport;
  stop(): void;
}

/**
 * Checks both halves of the platform database once a second. Redis is optional, so its absence does not make
 * the process unready.
 */
export function watchReadiness(): Readiness {
  let reasons: Record<string, string> = { http: 'starting' };
  let isListening = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(db: PlatformDb): Promise<void> {
    const found: Record<string, string> = {};
    for (const half of ['global', 'cell'] as const) {
      await db[half].query('SELECT 1').catch(() => {
        found[half] = 'the platform database does not answer';
      });
    }
    // `isListening` is read after the check, because the server may have started listening during the check.
    reasons = isListening ? found : { ...found, http: 'starting' };
  }

  return {
    start(db) {
      timer = setInterval(() => void look(db), CHECK_INTERVAL_MS);
      timer.unref();
    },
    markListening() {
      isListening = true;
      reasons = {};
    },
    report: () => reasons,
    stop() {
      clearInterval(timer);
    },
  };
}
