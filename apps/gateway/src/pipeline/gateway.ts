import type { KeyObject } from 'node:crypto';
import type { McpEndpoint } from '@rowhouse/mcp';
import type { DigestCells } from '@rowhouse/rest-engine';
import type { TenantPools } from '@rowhouse/mysql';
import type { GatewayDirectory } from '@rowhouse/platform-store';
import type { AddressRates, AddressReader, Gate } from '@rowhouse/runtime';
import type { LiveSchemas, PreparedSchemas } from '@rowhouse/snapshot-store';
import type { Models } from '../llm/create-models.js';
import type { AnswerBytes } from '../tenant/answer-bytes.js';
import type { Admission } from '../tenant/admission.js';
import type { CredentialHasher } from '../tenant/credential-hasher.js';
import type { Pulse } from '../tenant/pulse.js';
import type { RefusalPace } from '../tenant/refusal-pace.js';
import type { TenantDirectory } from '../tenant/tenant-directory.js';
import type { LexiconCache } from '../words/lexicon-cache.js';
import type { WordStore } from '../words/word-store.js';
import type { QueryCosts } from './cost/query-costs.js';
import type { Detection } from './detection.js';
import type { FailPoints } from './fail-points.js';
import type { LargeBodies } from './large-bodies.js';
import type { LoadGuard } from './load-guard.js';
import type { LoopTurns } from './loop-turns.js';
import type { IdempotencySweep } from './idempotency/sweep.js';
import type { Streams } from './streams/streams.js';

/** The parts that serve calls, as the composition root put them together. Nothing here is per request. */
export interface Gateway {
  readonly hashKey: CredentialHasher;
  readonly readAddress: AddressReader;
  readonly publicUrl: string;
  /** Its pages may use MCP, too; undefined: there is none, or it is where this is. */
  readonly consoleUrl: string | undefined;
  /** Seals cursors. The same in every gateway of the deployment. */
  readonly cursorKey: KeyObject;
  /** Makes the digests in ETags. Its key is the same in every gateway of the deployment. */
  readonly digest: DigestCells;
  readonly tenants: TenantDirectory;
  readonly admission: Admission;
  readonly refusals: RefusalPace;
  /** Null: addresses are not limited. */
  readonly addresses: AddressRates | null;
  readonly load: LoadGuard;
  /** Rows that statements may have looked at. */
  readonly costs: QueryCosts;
  readonly schemas: LiveSchemas;
  readonly prepared: PreparedSchemas;
  readonly pulse: Pulse;
  readonly pools: TenantPools;
  /** Values and synonyms that questions are read with. */
  readonly words: WordStore;
  readonly lexicons: LexiconCache;
  readonly detection: Detection;
  readonly failPoints: FailPoints;
  readonly idempotencySweep: IdempotencySweep;
  readonly directory: GatewayDirectory;
  readonly streams: Streams;
  /** Of whatever takes the event loop for long. */
  readonly turns: LoopTurns;
  readonly bodies: LargeBodies;
  /** The language model, where there is one, and what is kept of questions. */
  readonly models: Models;
  /** Speaks the protocol; the tools come with each message. */
  readonly mcp: McpEndpoint;
  /** One for each database: at most two texts of users at once. */
  queryGate(databaseId: string): Gate;
  /** What answers of queries hold until they are sent. */
  readonly answerBytes: AnswerBytes;
  /** The change log is silent: a stale name cannot be told from a wrong one. */
  isFenced(): boolean;
  /** The log has been silent for so long that no key is believed. */
  isBlind(): boolean;
}
