import { AppError } from '@rowhouse/errors';
import { createModelClient, type ModelSettings } from '@rowhouse/language-model';
import type { GatewayQuestions } from '@rowhouse/platform-store';
import { createGate } from '../tenant/gate.js';
import { createGateMap, type GateMap } from '../tenant/gate-map.js';
import { createAcceptedQuestions } from './accepted-questions.js';
import { createModelEngine, type ModelEngine } from './model-engine.js';
import { startQuestionHistory, type QuestionHistory } from './question-history.js';
import { createTokenBudget } from './token-budget.js';
import { createTranslationCache } from './translation-cache.js';

/** What questions need besides the rules. */
export interface Models {
  /** Null: no model is set up on this installation. */
  readonly engine: ModelEngine | null;
  readonly history: QuestionHistory;
  sweep(): void;
  stop(): Promise<void>;
}

const ENTRIES_MAX = 5_000;
const PER_PROJECT_MAX = 4;
const PER_PROCESS_MAX = 32;

export function createModels(config: (ModelSettings & { readonly timeoutMs: number; readonly tokensPerDay: number }) | null, store: GatewayQuestions, onFault: (error: unknown) => void): Models {
  const history = startQuestionHistory((rows) => store.append(rows), onFault);
  const busy = (detail: string) => () => new AppError('limit.concurrency', { retryAfterSeconds: 2, detail });
  const gates: GateMap = createGateMap({ runningMax: PER_PROJECT_MAX, waitingMax: 16, waitMs: 5_000, toError: busy(`At most ${PER_PROJECT_MAX} questions of a project are with the language model at once.`) });
  const gate = createGate({ runningMax: PER_PROCESS_MAX, waitingMax: 128, waitMs: 5_000, toError: busy('Too many questions are with the language model at once.') });
  const engine = config === null ? null : createModelEngine({
    client: createModelClient(config), timeoutMs: config.timeoutMs, tokensPerDay: config.tokensPerDay, gates, gate,
    budget: createTokenBudget(store, onFault), accepted: createAcceptedQuestions(store, onFault), cache: createTranslationCache(ENTRIES_MAX),
  });
  return { engine, history, sweep: () => gates.sweep(), stop: () => history.stop() };
}
