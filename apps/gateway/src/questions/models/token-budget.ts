import { AppError } from '@rowhouse/errors';
import type { ModelUse } from '@rowhouse/platform-store';
import { LRUCache } from 'lru-cache';

export interface BudgetStore {
  /** Returns the tokens that a project used today. */
  readModelTokens(projectId: string): Promise<number>;
  addModelUse(use: ModelUse): Promise<void>;
}

/** Counts the language model tokens of projects, over all gateways. */
export interface TokenBudget {
  /**
   * Checks the budget. Without the platform database, the count known to this process decides.
   *
   * @throws AppError 429 `llm.budget`, with the time until tomorrow
   */
  check(projectId: string, tokensPerDay: number): Promise<void>;
  /** Counts the use of the model. Never waits and never fails. */
  spend(use: ModelUse): void;
}

/**
 * The maximum age of the sum over all gateways, in milliseconds. A project can exceed its budget by the
 * tokens that it uses in this time.
 */
const FRESH_MS = 10_000;
const PROJECTS_MAX = 10_000;

interface Known {
  readonly day: string;
  readonly readAtMs: number;
  /**
   * The number of tokens read from the platform database, plus those that this process has spent since that
   * read.
   */
  tokens: number;
}

export function createTokenBudget(
  store: BudgetStore,
  onFault: (error: unknown) => void,
  now: () => number = Date.now,
): TokenBudget {
  const known = new LRUCache<string, Known>({ max: PROJECTS_MAX });

  async function read(projectId: string): Promise<number> {
    const nowMs = now();
    const day = dayOf(nowMs);
    const found = known.get(projectId);
    if (found !== undefined && found.day === day && nowMs - found.readAtMs < FRESH_MS) return found.tokens;
    const tokens = await store.readModelTokens(projectId).catch((error: unknown) => {
      onFault(error);
      return found?.day === day ? found.tokens : 0;
    });
    known.set(projectId, { day, readAtMs: nowMs, tokens });
    return tokens;
  }

  return {
    async check(projectId, tokensPerDay) {
      if ((await read(projectId)) < tokensPerDay) return;
      const nowMs = now();
      const tomorrowMs = Date.parse(`${dayOf(nowMs)}T00:00:00Z`) + 86_400_000;
      throw new AppError('llm.budget', {
        retryAfterSeconds: Math.ceil((tomorrowMs - nowMs) / 1_000),
        detail: `This project has used all of its ${tokensPerDay} language model tokens for today (UTC).`,
        hint: 'Until tomorrow, send SQL, or send questions with "engine": "rules".',
      });
    },
    spend(use) {
      const found = known.get(use.projectId);
      if (found !== undefined) found.tokens += use.tokensIn + use.tokensOut;
      store.addModelUse(use).catch(onFault);
    },
  };
}

function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}
