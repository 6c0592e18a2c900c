import type { KeyObject } from 'node:crypto';
import type { McpEndpoint } from '@rowhouse/mcp';
import type { DigestCells } from '@rowhouse/rest-engine';
import type { TenantPools } from '@rowhouse/mysql';
import type { GatewayDirectory } from '@rowhouse/platform-store';
import type { AddressRates, AddressReader, Gate } from '@rowhouse/runtime';
import type { LiveSchemas, PreparedSchemas } from '@rowhouse/snapshot-store';
import type { Models } from '../llm/create-models.js';
import type { ResponseBytes } from '../tenant/response-bytes.js';
import type { Admission } from '../tenant/admission.js';
import type { CredentialHasher } from '../tenant/credential-hasher.js';
import type { ClockWatchdog } from '../tenant/clock-watchdog.js';
import type { RejectionThrottle } from '../tenant/rejection-throttle.js';
import type { TenantDirectory } from '../tenant/tenant-directory.js';
import type { LexiconCache } from '../vocabulary/lexicon-cache.js';
import type { VocabularyStore } from '../vocabulary/vocabulary-store.js';
import type { QueryCosts } from './cost/query-costs.js';
import type { Detection } from './detection.js';
import type { FailPoints } from './fail-points.js';
import type { LargeBodies } from './large-bodies.js';
import type { LoadGuard } from './load-guard.js';
import type { EventLoopScheduler } from './event-loop-scheduler.js';
import type { IdempotencySweep } from './idempotency/sweep.js';
import type { Streams } from './streams/streams.js';

/** The parts that serve calls, as connected by the composition root. Nothing here belongs to one request. */
export interface Gateway {
  readonly hashKey: CredentialHasher;
  readonly readAddress: AddressReader;
  readonly publicUrl: string;
  /** The origin whose pages may use MCP, too. Undefined without a console, or when it has the same origin. */
  readonly consoleUrl: string | undefined;
  /** The key that seals cursors. It is the same in every gateway of the deployment. */
  readonly cursorKey: KeyObject;
  /** Computes the digests in ETags. Its key is the same in every gateway of the deployment. */
  readonly digest: DigestCells;
  readonly tenants: TenantDirectory;
  readonly admission: Admission;
  readonly refusals: RejectionThrottle;
  /** Null when addresses are not limited. */
  readonly addresses: AddressRates | null;
  readonly load: LoadGuard;
  /** The budgets for the rows that statements may examine. */
  readonly costs: QueryCosts;
  readonly schemas: LiveSchemas;
  readonly prepared: PreparedSchemas;
  readonly pulse: ClockWatchdog;
  readonly pools: TenantPools;
  /** The values and synonyms that questions are interpreted with. */
  readonly words: VocabularyStore;
  readonly lexicons: LexiconCache;
  readonly detection: Detection;
  readonly failPoints: FailPoints;
  readonly idempotencySweep: IdempotencySweep;
  readonly directory: GatewayDirectory;
  readonly streams: Streams;
  /** The scheduler for work that blocks the event loop for long. */
  readonly turns: EventLoopScheduler;
  readonly bodies: LargeBodies;
  /** The language models, if any, and the history of questions. */
  readonly models: Models;
  /** Implements the MCP protocol. The tools are passed with each message. */
  readonly mcp: McpEndpoint;
  /** Returns the gate of a database, which admits at most two users' queries at once. */
  queryGate(databaseId: string): Gate;
  /** The memory held by query responses until they are sent. */
  readonly answerBytes: ResponseBytes;
  /**
   * Returns whether the change log is silent. An outdated name cannot be distinguished from a wrong one then.
   */
  isFenced(): boolean;
  /** Returns whether the change log has been silent for so long that no key is trusted. */
  isBlind(): boolean;
}
