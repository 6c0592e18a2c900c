import { setTimeout as pause } from 'node:timers/promises';
import { QUESTION_KINDS, type ChangeKind } from '@rowhouse/contracts';
import type { ColumnValues } from '@rowhouse/nl-engine';
import type { GatewayVocabulary } from '@rowhouse/platform-store';
import type { TenantDatabase } from '../../tenant/tenant.js';
import { makeQuestionVocabulary, EMPTY_VOCABULARY, type QuestionVocabulary } from './question-vocabulary.js';

/**
 * Caches the values and synonyms that questions need. A value index is compared with its rows at a limited
 * rate, and only for databases with questions. The store never rejects: without values, questions only use
 * the schema.
 */
export interface VocabularyStore {
  /**
   * Returns the values and synonyms from memory, or loads them. The first question to a database waits
   * briefly for its index to be built.
   */
  read(database: TenantDatabase): Promise<QuestionVocabulary>;
  /**
   * Resolves to whether newer values or synonyms arrived within a second. Call it when a question was not
   * understood with `vocabulary`.
   */
  awaitNewer(database: TenantDatabase, vocabulary: QuestionVocabulary): Promise<boolean>;
  /** Reports that rows were written through this gateway. */
  noteWrite(databaseId: string): void;
  /** Handles an entry of the change log. */
  drop(databaseId: string, kind: ChangeKind): void;
  stop(): void;
}

export interface VocabularyStoreOptions {
  readonly source: GatewayVocabulary;
  /**
   * Reads the indexed values from the shared cache or the tenant's own server. The index may be incomplete.
   */
  readonly readValues: (database: TenantDatabase, version: number) => Promise<readonly ColumnValues[]>;
  /** Notifies workers that a comparison is due. Never throws. */
  readonly requestComparison: (databaseId: string) => void;
  readonly onFault: (error: unknown) => void;
  readonly bytesMax?: number;
  readonly nowMs?: () => number;
}

interface Slot {
  vocabulary: QuestionVocabulary | null;
  loading: Promise<QuestionVocabulary> | null;
  refreshing: Promise<boolean> | null;
  /**
   * Incremented with each entry of the change log. Values and synonyms read before the last entry are
   * discarded.
   */
  generation: number;
  /** The time at which a comparison of the index with the rows was last requested. */
  requestedAtMs: number;
  failedAtMs: number;
  /** Until this time, no question waits for a worker, because none has responded in time. */
  noWaitUntilMs: number;
}

const BYTES_MAX = 64 * 1024 * 1024;
/** If an index is older than this, in milliseconds, it is compared with its rows in the background. */
const AGE_MAX_MS = 60_000;
/** The minimum time between two comparisons, for questions and for writes. */
const GAP_MS = 2_000;
const WRITE_GAP_MS = 30_000;
const WRITE_FLUSH_MS = 5_000;
const FIRST_WAIT_MS = 1_500;
const NEWER_WAIT_MS = 1_000;
const POLL_MS = 40;
const RETRY_AFTER_MS = 1_000;
const WAIT_AGAIN_AFTER_MS = 30_000;

export function createVocabularyStore(options: VocabularyStoreOptions): VocabularyStore {
  const { source } = options;
  const bytesMax = options.bytesMax ?? BYTES_MAX;
  const nowMs = options.nowMs ?? (() => performance.now());
  const slots = new Map<string, Slot>();
  const written = new Set<string>();
  let bytes = 0;

  /** Returns the slot of the database, and marks it as the most recently used one. */
  function slotOf(databaseId: string): Slot {
    const known = slots.get(databaseId);
    const slot = known ?? {
      vocabulary: null,
      loading: null,
      refreshing: null,
      generation: 0,
      requestedAtMs: Number.NEGATIVE_INFINITY,
      failedAtMs: Number.NEGATIVE_INFINITY,
      noWaitUntilMs: Number.NEGATIVE_INFINITY,
    };
    if (known !== undefined) slots.delete(databaseId);
    slots.set(databaseId, slot);
    return slot;
  }

  function put(slot: Slot, vocabulary: QuestionVocabulary | null): void {
    bytes += (vocabulary?.bytes ?? 0) - (slot.vocabulary?.bytes ?? 0);
    slot.vocabulary = vocabulary;
    for (const [databaseId, other] of slots) {
      if (bytes <= bytesMax) return;
      if (other === slot || other.loading !== null) continue;
      bytes -= other.vocabulary?.bytes ?? 0;
      // A pending refresh of this slot must not subtract the bytes again.
      other.vocabulary = null;
      slots.delete(databaseId);
    }
  }

  async function requestIndex(databaseId: string, slot: Slot, isFirst: boolean): Promise<void> {
    slot.requestedAtMs = nowMs();
    await source.request([databaseId], GAP_MS, isFirst);
    options.requestComparison(databaseId);
  }

  /** Waits until the requested work is done, and returns the version at that time. */
  async function awaitIndex(databaseId: string, slot: Slot, timeoutMs: number): Promise<number> {
    const endsAtMs = nowMs() < slot.noWaitUntilMs ? nowMs() : nowMs() + timeoutMs;
    for (;;) {
      const state = await source.readState(databaseId);
      if (state === null || state.isSettled) return state?.version ?? 0;
      if (nowMs() >= endsAtMs) {
        slot.noWaitUntilMs = Math.max(slot.noWaitUntilMs, nowMs() + WAIT_AGAIN_AFTER_MS);
        return state.version;
      }
      await pause(POLL_MS);
    }
  }

  async function load(database: TenantDatabase, slot: Slot): Promise<QuestionVocabulary> {
    const { id, projectId } = database.record;
    for (;;) {
      const { generation } = slot;
      const [state, synonyms] = await Promise.all([source.readState(id), source.listSynonyms(projectId)]);
      let version = state?.version ?? 0;
      if (version === 0) {
        await requestIndex(id, slot, true);
        version = await awaitIndex(id, slot, FIRST_WAIT_MS);
      }
      const vocabulary = makeQuestionVocabulary(
        version,
        version === 0 ? [] : await options.readValues(database, version),
        synonyms,
      );
      if (slot.generation !== generation) continue;
      put(slot, vocabulary);
      return vocabulary;
    }
  }

  function startLoading(database: TenantDatabase, slot: Slot): Promise<QuestionVocabulary> {
    if (nowMs() - slot.failedAtMs < RETRY_AFTER_MS) return Promise.resolve(EMPTY_VOCABULARY);
    slot.loading ??= load(database, slot)
      .catch((error: unknown) => {
        slot.failedAtMs = nowMs();
        options.onFault(error);
        return EMPTY_VOCABULARY;
      })
      .finally(() => {
        slot.loading = null;
      });
    return slot.loading;
  }

  async function refresh(
    database: TenantDatabase,
    slot: Slot,
    vocabulary: QuestionVocabulary,
  ): Promise<boolean> {
    await requestIndex(database.record.id, slot, true);
    const version = await awaitIndex(database.record.id, slot, NEWER_WAIT_MS);
    if (version <= vocabulary.version) return false;
    // The entry of the change log may not have arrived yet.
    if (slot.vocabulary === vocabulary) put(slot, null);
    return true;
  }

  const timer = setInterval(() => {
    const ids = [...written];
    written.clear();
    if (ids.length > 0) source.request(ids, WRITE_GAP_MS, false).catch(options.onFault);
  }, WRITE_FLUSH_MS);
  timer.unref();

  return {
    read(database) {
      const slot = slotOf(database.record.id);
      if (slot.vocabulary === null) return startLoading(database, slot);
      if (nowMs() - slot.requestedAtMs > AGE_MAX_MS)
        requestIndex(database.record.id, slot, true).catch(options.onFault);
      return Promise.resolve(slot.vocabulary);
    },
    awaitNewer(database, vocabulary) {
      const slot = slotOf(database.record.id);
      if (slot.vocabulary !== vocabulary && slot.vocabulary !== null) return Promise.resolve(true);
      if (slot.refreshing !== null) return slot.refreshing;
      if (nowMs() - slot.requestedAtMs < GAP_MS) return Promise.resolve(false);
      slot.refreshing = refresh(database, slot, vocabulary)
        .catch((error: unknown) => {
          options.onFault(error);
          return false;
        })
        .finally(() => {
          slot.refreshing = null;
        });
      return slot.refreshing;
    },
    noteWrite(databaseId) {
      if (slots.has(databaseId)) written.add(databaseId);
    },
    drop(databaseId, kind) {
      const slot = slots.get(databaseId);
      if (slot === undefined || (!QUESTION_KINDS.has(kind) && kind !== 'suspend' && kind !== 'move')) return;
      slot.generation += 1;
      put(slot, null);
      if (!QUESTION_KINDS.has(kind) && slot.loading === null) slots.delete(databaseId);
    },
    stop: () => clearInterval(timer),
  };
}
