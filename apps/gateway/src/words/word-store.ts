import { setTimeout as pause } from 'node:timers/promises';
import { QUESTION_KINDS, type ChangeKind } from '@rowhouse/contracts';
import type { ColumnValues } from '@rowhouse/nl-engine';
import type { GatewayWords } from '@rowhouse/platform-store';
import type { TenantDatabase } from '../tenant/tenant.js';
import { makeQuestionWords, NO_WORDS, type QuestionWords } from './question-words.js';

/**
 * The words of the databases that are asked questions here: values of their rows and synonyms of their projects, in
 * process. A database that nobody asks costs nothing; one that is asked has its values compared with its rows at a
 * bounded rate. Never throws: without words a question is read by the schema alone.
 */
export interface WordStore {
  /** What is in memory, else loaded; the first question to a database waits a moment for its index to be built. */
  read(database: TenantDatabase): Promise<QuestionWords>;
  /** A question was not understood with `words`: whether newer ones came within a second. */
  awaitNewer(database: TenantDatabase, words: QuestionWords): Promise<boolean>;
  /** Rows were written through this gateway. */
  noteWrite(databaseId: string): void;
  /** From the change log. */
  drop(databaseId: string, kind: ChangeKind): void;
  stop(): void;
}

export interface WordStoreOptions {
  readonly source: GatewayWords;
  /** The values of an index as far as it is built, from the shared cache or the tenant's own server. */
  readonly readValues: (database: TenantDatabase, version: number) => Promise<readonly ColumnValues[]>;
  /** Tells workers that something is due; never throws. */
  readonly hurry: (databaseId: string) => void;
  readonly onFault: (error: unknown) => void;
  readonly bytesMax?: number;
  readonly nowMs?: () => number;
}

interface Slot {
  words: QuestionWords | null;
  loading: Promise<QuestionWords> | null;
  refreshing: Promise<boolean> | null;
  /** Grows with every entry of the log: what was read before it is not kept. */
  generation: number;
  /** When somebody last asked for the index to be compared with the rows. */
  askedAtMs: number;
  failedAtMs: number;
  /** No worker answered in time: until then nobody waits for one again. */
  patienceAtMs: number;
}

const BYTES_MAX = 64 * 1024 * 1024;
/** An index that was not compared with its rows for so long is, behind the answer. */
const AGE_MAX_MS = 60_000;
/** Between two comparisons because of questions, and because of writes. */
const GAP_MS = 2_000;
const WRITE_GAP_MS = 30_000;
const WRITE_FLUSH_MS = 5_000;
const FIRST_WAIT_MS = 1_500;
const NEWER_WAIT_MS = 1_000;
const POLL_MS = 40;
const RETRY_AFTER_MS = 1_000;
const WAIT_AGAIN_AFTER_MS = 30_000;

export function createWordStore(options: WordStoreOptions): WordStore {
  const { source } = options;
  const bytesMax = options.bytesMax ?? BYTES_MAX;
  const nowMs = options.nowMs ?? (() => performance.now());
  const slots = new Map<string, Slot>();
  const written = new Set<string>();
  let bytes = 0;

  /** In order of use. */
  function slotOf(databaseId: string): Slot {
    const known = slots.get(databaseId);
    const slot = known ?? { words: null, loading: null, refreshing: null, generation: 0, askedAtMs: Number.NEGATIVE_INFINITY, failedAtMs: Number.NEGATIVE_INFINITY, patienceAtMs: Number.NEGATIVE_INFINITY };
    if (known !== undefined) slots.delete(databaseId);
    slots.set(databaseId, slot);
    return slot;
  }

  function put(slot: Slot, words: QuestionWords | null): void {
    bytes += (words?.bytes ?? 0) - (slot.words?.bytes ?? 0);
    slot.words = words;
    for (const [databaseId, other] of slots) {
      if (bytes <= bytesMax) return;
      if (other === slot || other.loading !== null) continue;
      bytes -= other.words?.bytes ?? 0;
      // Whoever still waits for newer ones must not take them off once more.
      other.words = null;
      slots.delete(databaseId);
    }
  }

  async function ask(databaseId: string, slot: Slot, isFirst: boolean): Promise<void> {
    slot.askedAtMs = nowMs();
    await source.request([databaseId], GAP_MS, isFirst);
    options.hurry(databaseId);
  }

  /** Until nothing that was asked for is left to do; the version then. */
  async function settle(databaseId: string, slot: Slot, timeoutMs: number): Promise<number> {
    const endsAtMs = nowMs() < slot.patienceAtMs ? nowMs() : nowMs() + timeoutMs;
    for (;;) {
      const state = await source.readState(databaseId);
      if (state === null || state.isSettled) return state?.version ?? 0;
      if (nowMs() >= endsAtMs) {
        slot.patienceAtMs = Math.max(slot.patienceAtMs, nowMs() + WAIT_AGAIN_AFTER_MS);
        return state.version;
      }
      await pause(POLL_MS);
    }
  }

  async function load(database: TenantDatabase, slot: Slot): Promise<QuestionWords> {
    const { id, projectId } = database.record;
    for (;;) {
      const { generation } = slot;
      const [state, synonyms] = await Promise.all([source.readState(id), source.listSynonyms(projectId)]);
      let version = state?.version ?? 0;
      if (version === 0) {
        await ask(id, slot, true);
        version = await settle(id, slot, FIRST_WAIT_MS);
      }
      const words = makeQuestionWords(version, version === 0 ? [] : await options.readValues(database, version), synonyms);
      if (slot.generation !== generation) continue;
      put(slot, words);
      return words;
    }
  }

  function begin(database: TenantDatabase, slot: Slot): Promise<QuestionWords> {
    if (nowMs() - slot.failedAtMs < RETRY_AFTER_MS) return Promise.resolve(NO_WORDS);
    slot.loading ??= load(database, slot)
      .catch((error: unknown) => {
        slot.failedAtMs = nowMs();
        options.onFault(error);
        return NO_WORDS;
      })
      .finally(() => {
        slot.loading = null;
      });
    return slot.loading;
  }

  async function refresh(database: TenantDatabase, slot: Slot, words: QuestionWords): Promise<boolean> {
    await ask(database.record.id, slot, true);
    const version = await settle(database.record.id, slot, NEWER_WAIT_MS);
    if (version <= words.version) return false;
    // The log's entry may still be on its way.
    if (slot.words === words) put(slot, null);
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
      if (slot.words === null) return begin(database, slot);
      if (nowMs() - slot.askedAtMs > AGE_MAX_MS) ask(database.record.id, slot, true).catch(options.onFault);
      return Promise.resolve(slot.words);
    },
    awaitNewer(database, words) {
      const slot = slotOf(database.record.id);
      if (slot.words !== words && slot.words !== null) return Promise.resolve(true);
      if (slot.refreshing !== null) return slot.refreshing;
      if (nowMs() - slot.askedAtMs < GAP_MS) return Promise.resolve(false);
      slot.refreshing = refresh(database, slot, words)
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
