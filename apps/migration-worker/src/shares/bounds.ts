import { USER_SESSIONS_MAX } from '@rowhouse/contracts';

export interface IntruderBounds {
  /** The maximum number of sessions, over all addresses, that have not logged in. */
  readonly all: number;
  /**
   * The maximum number of such sessions for each address. Only sessions that were already open at the
   * previous check count.
   */
  readonly address: number;
}

/** The limits of direct connections on a server, and of one organization, one database and one session. */
export interface ShareBounds {
  readonly sessions: Bound;
  readonly memoryBytes: Bound;
  readonly tempBytes: Bound;
  /** The number of named locks, which sessions take with GET_LOCK. */
  readonly namedLocks: Bound;
  /** The number of temporary tables, which only MariaDB requires. */
  readonly tempTables: Bound;
  /** The number of statements that one organization may run in parallel over several seconds. */
  readonly statementsMax: number;
  /** The limits for sessions that have not logged in yet. */
  readonly unauthenticated: IntruderBounds;
  readonly idleTransactionMs: number;
  readonly transactionMs: number;
}

export interface Bound {
  readonly server: number;
  readonly owner: number;
  readonly database: number;
  /** The limit for one session. For the number of sessions, it is the limit for one connection user. */
  readonly single: number;
}

export interface ShareSettings {
  readonly memoryMb: number;
  readonly tempDiskMb: number;
  readonly idleTransactionSeconds: number;
  readonly transactionSeconds: number;
  /** The number of statements per processor; 0 for no limit. */
  readonly statementsPerProcessor: number;
}

/** Connections reserved for the platform's own sessions: workers, migrators, observers. */
const PLATFORM_RESERVE = 100;
/**
 * The maximum share of all connections that direct connections may use. Even a rejected login occupies a
 * connection for a moment, and users above their limit keep retrying. With a higher share, 60 users have
 * filled 1,000 connections.
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
/**
 * The maximum number of GET_LOCK locks on a server. Each lock takes 1.2 to 1.6 KB. This memory is not counted
 * for any session, and the server keeps it for later locks. A MySQL session can take 70,000 locks a second.
 */
const NAMED_LOCKS = 40_000;
/** The maximum number of temporary tables on a MariaDB server. Each one takes 28 to 56 KB. */
const TEMP_TABLES = 16_000;

/** Limits of a server, from the server itself and from its row in the platform database. */
export interface ServerLimits {
  /** The server's own limit for connections. */
  readonly connectionsMax: number;
  readonly processors: number;
  readonly gatewaysMax: number;
  /**
   * The limit that the operator has set. Null means a quarter of all connections, or fewer if gateways and
   * the platform leave fewer.
   */
  readonly directMax: number | null;
}

export function toBounds(
  settings: ShareSettings,
  { connectionsMax, processors, gatewaysMax, directMax }: ServerLimits,
): ShareBounds {
  const remaining = Math.max(
    SERVER_SESSIONS_MIN,
    Math.min(connectionsMax - gatewaysMax - PLATFORM_RESERVE, Math.floor(connectionsMax * ALLOTTED_SHARE)),
  );
  const sessions = Math.min(directMax ?? remaining, connectionsMax);
  return {
    sessions: { ...divide(sessions), single: USER_SESSIONS_MAX },
    memoryBytes: divide(settings.memoryMb * MIB),
    tempBytes: divide(settings.tempDiskMb * MIB),
    namedLocks: divide(NAMED_LOCKS),
    tempTables: divide(TEMP_TABLES),
    statementsMax:
      settings.statementsPerProcessor === 0
        ? Number.POSITIVE_INFINITY
        : Math.max(STATEMENTS_MIN, processors * settings.statementsPerProcessor),
    unauthenticated: {
      all: Math.max(SERVER_SESSIONS_MIN, Math.floor(connectionsMax * UNAUTHENTICATED_SHARE)),
      address: Math.max(
        UNAUTHENTICATED_OF_ADDRESS_MIN,
        Math.floor(connectionsMax * UNAUTHENTICATED_OF_ADDRESS),
      ),
    },
    idleTransactionMs: settings.idleTransactionSeconds * 1_000,
    transactionMs: settings.transactionSeconds * 1_000,
  };
}

function divide(server: number): Bound {
  const share = (part: number): number => Math.max(1, Math.floor(server * part));
  return { server, owner: share(OWNER_SHARE), database: share(DATABASE_SHARE), single: share(SESSION_SHARE) };
}
