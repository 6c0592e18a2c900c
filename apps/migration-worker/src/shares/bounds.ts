import type { IntruderBounds } from './find-intruders.js';

/** What direct connections may take of a server, and of that one organization, one database and one session. */
export interface ShareBounds {
  readonly sessions: Bound;
  readonly memoryBytes: Bound;
  readonly tempBytes: Bound;
  /** Statements that one organization may have at work at once for longer than a moment. */
  readonly statementsMax: number;
  /** Sessions that have not logged in yet. */
  readonly unauthenticated: IntruderBounds;
  readonly idleTransactionMs: number;
  readonly transactionMs: number;
}

export interface Bound {
  readonly server: number;
  readonly owner: number;
  readonly database: number;
  /** Of one session; of sessions, those of one connection user. */
  readonly single: number;
}

export interface ShareSettings {
  readonly memoryMb: number;
  readonly tempDiskMb: number;
  readonly idleTransactionSeconds: number;
  readonly transactionSeconds: number;
  /** 0: statements have no bound. */
  readonly statementsPerProcessor: number;
}

/** Sessions of one connection user; the engines enforce it. */
export const USER_SESSIONS_MAX = 20;
/** Connections that are left to the platform's own sessions: workers, migrators, observers. */
const PLATFORM_RESERVE = 100;
/**
 * The part of all connections that direct connections are allotted at most. Refused logins hold a connection while they
 * last, and users who ask for more than their allotment keep asking: 60 users filled 1,000 connections this way.
 */
const ALLOTTED_SHARE = 0.25;
const SERVER_SESSIONS_MIN = 20;
const STATEMENTS_MIN = 4;
const UNAUTHENTICATED_SHARE = 0.1;
const UNAUTHENTICATED_OF_ADDRESS = 0.02;
const UNAUTHENTICATED_OF_ADDRESS_MIN = 10;
const OWNER_SHARE = 0.4;
const DATABASE_SHARE = 0.2;
const SESSION_SHARE = 0.125;
const MIB = 2 ** 20;

/** What the server and its row say. */
export interface ServerLimits {
  /** What the server lets in at all. */
  readonly connectionsMax: number;
  readonly processors: number;
  readonly gatewaysMax: number;
  /** What the operator set; null: a quarter of all connections, or what gateways and the platform leave. */
  readonly directMax: number | null;
}

export function toBounds(settings: ShareSettings, { connectionsMax, processors, gatewaysMax, directMax }: ServerLimits): ShareBounds {
  const left = Math.max(SERVER_SESSIONS_MIN, Math.min(connectionsMax - gatewaysMax - PLATFORM_RESERVE, Math.floor(connectionsMax * ALLOTTED_SHARE)));
  const sessions = Math.min(directMax ?? left, connectionsMax);
  return {
    sessions: { ...divide(sessions), single: USER_SESSIONS_MAX },
    memoryBytes: divide(settings.memoryMb * MIB),
    tempBytes: divide(settings.tempDiskMb * MIB),
    statementsMax: settings.statementsPerProcessor === 0 ? Number.POSITIVE_INFINITY : Math.max(STATEMENTS_MIN, processors * settings.statementsPerProcessor),
    unauthenticated: {
      all: Math.max(SERVER_SESSIONS_MIN, Math.floor(connectionsMax * UNAUTHENTICATED_SHARE)),
      address: Math.max(UNAUTHENTICATED_OF_ADDRESS_MIN, Math.floor(connectionsMax * UNAUTHENTICATED_OF_ADDRESS)),
    },
    idleTransactionMs: settings.idleTransactionSeconds * 1_000,
    transactionMs: settings.transactionSeconds * 1_000,
  };
}

function divide(server: number): Bound {
  const share = (part: number): number => Math.max(1, Math.floor(server * part));
  return { server, owner: share(OWNER_SHARE), database: share(DATABASE_SHARE), single: share(SESSION_SHARE) };
}
