import { describe, expect, it } from 'vitest';
import { createTokenBudget } from './token-budget.js';

const USE = {
  projectId: 'prj_a',
  databaseId: 'db_a',
  requests: 1,
  tokensIn: 90,
  tokensOut: 10,
  repairs: 0,
  failures: 0,
};

/** Creates a budget with a platform database that may be unavailable, and with a settable clock. */
function open(): {
  budget: ReturnType<typeof createTokenBudget>;
  state: { stored: number; isAway: boolean; nowMs: number; reads: number; faults: number };
} {
  const state = { stored: 0, isAway: false, nowMs: Date.parse('2026-11-21T23:59:00Z'), reads: 0, faults: 0 };
  const orAway = async (): Promise<void> => {
    if (state.isAway) throw new Error('away');
  };
  const store = {
    async readModelTokens() {
      state.reads += 1;
      await orAway();
      return state.stored;
    },
    addModelUse: orAway,
  };
  return {
    state,
    budget: createTokenBudget(
      store,
      () => (state.faults += 1),
      () => state.nowMs,
    ),
  };
}

describe('the token budget', () => {
  it('a question over the token budget is rejected with llm.budget until midnight', async () => {
    const { budget, state } = open();
    await budget.check('prj_a', 100);
    budget.spend(USE);
    await expect(budget.check('prj_a', 100)).rejects.toMatchObject({
      code: 'llm.budget',
      retryAfterSeconds: 60,
    });
    await expect(budget.check('prj_a', 101)).resolves.toBeUndefined();
    await expect(budget.check('prj_b', 100)).resolves.toBeUndefined();
    state.nowMs += 61_000;
    await expect(budget.check('prj_a', 100)).resolves.toBeUndefined();
  });

  it('the token use of other gateways is read every ten seconds', async () => {
    const { budget, state } = open();
    await budget.check('prj_a', 100);
    state.stored = 500;
    await budget.check('prj_a', 100);
    expect(state.reads).toBe(1);
    state.nowMs += 10_000;
    await expect(budget.check('prj_a', 100)).rejects.toMatchObject({ code: 'llm.budget' });
  });

  it('the last known token count applies while the platform database is unavailable', async () => {
    const { budget, state } = open();
    await budget.check('prj_a', 100);
    state.isAway = true;
    budget.spend(USE);
    state.nowMs += 10_000;
    await expect(budget.check('prj_a', 100)).rejects.toMatchObject({ code: 'llm.budget' });
    await expect(budget.check('prj_b', 100)).resolves.toBeUndefined();
    expect(state.faults).toBe(3);
  });

  it('a token budget of zero allows no question', async () => {
    await expect(open().budget.check('prj_a', 0)).rejects.toMatchObject({ code: 'llm.budget' });
  });
});
