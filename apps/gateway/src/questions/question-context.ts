import type { SchedulingServices } from '@rowhouse/admission';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import type { LiveSchemas } from '@rowhouse/snapshot-store';
import type { GatewayRequest } from '../http/gateway-request.js';
import type { QueryRequest } from '../query/query-request.js';
import type { QueryRunServices } from '../query/run-query.js';
import type { Tenant } from '../tenant/tenant.js';
import type { Models } from './models/create-models.js';
import type { LexiconCache } from './vocabulary/lexicon-cache.js';
import type { VocabularyStore } from './vocabulary/vocabulary-store.js';

export interface VocabularyServices extends SchedulingServices {
  /** The values and synonyms that questions are interpreted with. */
  readonly vocabularies: VocabularyStore;
  readonly lexicons: LexiconCache;
}

export interface QuestionServices extends VocabularyServices, QueryRunServices {
  readonly schemas: LiveSchemas;
  /** The language models, if any, and the history of questions. */
  readonly models: Models;
}

/** A question with its key and schema. */
export interface QuestionContext {
  readonly services: QuestionServices;
  readonly gatewayRequest: GatewayRequest;
  readonly tenant: Tenant;
  readonly compiled: CompiledSnapshot;
  readonly request: QueryRequest;
  readonly today: string;
}

/**
 * Returns the current date in a time zone, such as `2026-11-21`. The request's validation has accepted the
 * zone. An unknown zone counts as UTC.
 */
export function findToday(nowMs: number, timezone: string): string {
  try {
    const parts = new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone === 'Z' ? 'UTC' : timezone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }).format(nowMs);
    return /^\d{4}-\d{2}-\d{2}$/.test(parts) ? parts : new Date(nowMs).toISOString().slice(0, 10);
  } catch {
    return new Date(nowMs).toISOString().slice(0, 10);
  }
}
