import { createGate, createGateMap, type Gate, type GateMap } from '@rowhouse/admission';
import { modelSecretPurpose, type DatabaseRecord, type ProjectModelRecord } from '@rowhouse/contracts';
import type { SecretBox } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { createModelClient, type ModelSettings } from '@rowhouse/language-model';
import type { GatewayQuestions, QuestionRow } from '@rowhouse/platform-store';
import { Secret } from '@rowhouse/runtime';
import { LRUCache } from 'lru-cache';
import { createAcceptedQuestions } from './accepted-questions.js';
import { createModelEngine, type ModelEngine } from './model-engine.js';
import { createTokenBudget } from './token-budget.js';
import { createTranslationCache, type SharedTranslations } from './translation-cache.js';

/** Records questions in the platform database. No request waits for it. */
interface QuestionHistory {
  note(row: QuestionRow): void;
  /** Writes the remaining rows. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;

/** The maximum number of questions recorded in an interval, and of those to one database. */
const ROWS_MAX = 500;
const ROWS_PER_DATABASE_MAX = 20;

/** The language models of projects and of the installation, and the history of questions. */
export interface Models {
  /**
   * Returns the project's own language model, or else that of the installation. Returns null if neither is
   * configured.
   */
  engineOf(database: Pick<DatabaseRecord, 'projectId' | 'languageModel'>): ModelEngine | null;
  readonly history: QuestionHistory;
  sweep(): void;
  stop(): Promise<void>;
}

export interface ModelLimits {
  readonly timeoutMs: number;
  /** The daily budget of a project for the installation's model. A project's own model has no budget here. */
  readonly tokensPerDay: number;
  /** Whether models of projects may be in private networks. */
  readonly allowsPrivate: boolean;
}

export interface ModelsParts {
  /** The settings of the installation's model, or null when none is configured. */
  readonly settings: ModelSettings | null;
  readonly limits: ModelLimits;
  readonly store: GatewayQuestions;
  readonly shared: SharedTranslations;
  /** Decrypts the API keys of projects' models. */
  readonly box: SecretBox;
  readonly onFault: (error: unknown) => void;
}

const ENTRIES_MAX = 5_000;
const PER_PROJECT_MAX = 4;
const PER_PROCESS_MAX = 32;
/**
 * The maximum number of running questions to projects' own models. These models may be slow, so they have a
 * separate gate and take no slots of the installation's model.
 */
const OWN_PER_PROCESS_MAX = 256;
const OWN_MAX = 1_000;

export function createModels({ settings, limits, store, shared, box, onFault }: ModelsParts): Models {
  const history = startQuestionHistory((rows) => store.append(rows), onFault);
  const busy = (detail: string) => () => new AppError('limit.concurrency', { retryAfterSeconds: 2, detail });
  const gates: GateMap = createGateMap({
    runningMax: PER_PROJECT_MAX,
    waitingMax: 16,
    waitMs: 5_000,
    toError: busy(`A project can ask the language model at most ${PER_PROJECT_MAX} questions at once.`),
  });
  const gateOf = (runningMax: number): Gate =>
    createGate({
      runningMax,
      waitingMax: 4 * runningMax,
      waitMs: 5_000,
      toError: busy('Too many questions are using the language model.'),
    });
  const ownGate = gateOf(OWN_PER_PROCESS_MAX);
  const parts = {
    timeoutMs: limits.timeoutMs,
    gates,
    gate: gateOf(PER_PROCESS_MAX),
    budget: createTokenBudget(store, onFault),
    accepted: createAcceptedQuestions(store, onFault),
    cache: createTranslationCache(ENTRIES_MAX, shared),
  };
  const installation =
    settings === null
      ? null
      : createModelEngine({
          ...parts,
          client: createModelClient(settings),
          tokensPerDay: limits.tokensPerDay,
        });
  const own = new LRUCache<string, { readonly version: number; readonly engine: ModelEngine }>({
    max: OWN_MAX,
  });

  function openOwn(projectId: string, record: ProjectModelRecord): ModelEngine {
    const settingsOfProject: ModelSettings = {
      baseUrl: record.baseUrl,
      model: record.model,
      apiKey: openKey(box, projectId, record),
      owner: 'project',
      isPublicOnly: !limits.allowsPrivate,
    };
    const engine = createModelEngine({
      ...parts,
      gate: ownGate,
      client: createModelClient(settingsOfProject),
      tokensPerDay: Number.POSITIVE_INFINITY,
    });
    own.set(projectId, { version: record.version, engine });
    return engine;
  }

  return {
    engineOf({ projectId, languageModel }) {
      if (languageModel === null || languageModel === undefined) return installation;
      const known = own.get(projectId);
      return known?.version === languageModel.version ? known.engine : openOwn(projectId, languageModel);
    },
    history,
    sweep: () => gates.sweep(),
    stop: () => history.stop(),
  };
}

/**
 * Decrypts the key of a project's model.
 *
 * @throws AppError 503 `llm.unavailable` when the key was sealed by another installation or for another
 *   address
 */
function openKey(
  box: SecretBox,
  projectId: string,
  { baseUrl, keySealed }: ProjectModelRecord,
): Secret | null {
  if (keySealed === null) return null;
  try {
    return new Secret(
      box.open(Buffer.from(keySealed, 'base64'), modelSecretPurpose(projectId, new URL(baseUrl).origin)),
    );
  } catch (cause) {
    throw new AppError('llm.unavailable', {
      detail: "The API key of this project's language model cannot be decrypted.",
      hint: 'Set it again (PUT /api/projects/{id}/language-model).',
      internal: 'the key does not open',
      cause,
    });
  }
}

export function startQuestionHistory(
  append: (rows: readonly QuestionRow[]) => Promise<void>,
  onFault: (error: unknown) => void,
): QuestionHistory {
  let rows: QuestionRow[] = [];
  const counts = new Map<string, number>();
  async function flush(): Promise<void> {
    const noted = rows;
    rows = [];
    counts.clear();
    if (noted.length > 0) await append(noted).catch(onFault);
  }
  const timer = setInterval(() => void flush(), INTERVAL_MS);
  timer.unref();
  return {
    note(row) {
      const count = counts.get(row.databaseId) ?? 0;
      if (rows.length >= ROWS_MAX || count >= ROWS_PER_DATABASE_MAX) return;
      counts.set(row.databaseId, count + 1);
      rows.push(row);
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
