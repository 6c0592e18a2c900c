import type { EngineKind } from '@rowhouse/schema-model';
import type { BindValue, DbValue, ResultColumn } from './values.js';
import type { RowLayout } from './wire/row-layout.js';

export type * from './values.js';

/** One of several addresses of a server. */
export interface PoolNode {
  readonly host: string;
  readonly port: number;
}

/** A server with the MySQL protocol, as stored in the platform database. */
export interface PoolServer {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  /**
   * The other addresses of a cluster, in the order in which they are tried. Without them, `host` is the only
   * address.
   */
  readonly nodes?: readonly PoolNode[];
  /**
   * Whether the server is a Galera cluster. Its nodes may lag behind each other, and a node may need to be
   * asked whether it serves.
   */
  readonly isGalera?: boolean;
  readonly tls: 'off' | 'required';
  /**
   * The certificate authority of the server, in PEM format. Without it, the authorities that Node trusts
   * apply, and the host name is verified.
   */
  readonly ca?: string;
  readonly engine: EngineKind;
  /** The maximum number of sessions that this process opens on this server, over all tenants. */
  readonly connectionsMax: number;
  /**
   * The maximum number of sessions that all processes open together. Equals `connectionsMax` if this process
   * is the only one.
   */
  readonly connectionsTotal?: number;
}

/**
 * The state of the pool of one server in this process. Unless stated otherwise, a count is a number of
 * sessions.
 */
export interface ServerPoolStats {
  readonly open: number;
  /** The maximum number of open sessions. */
  readonly limit: number;
  readonly idle: number;
  readonly waiting: number;
  /** The number of sessions that would be opened now if the limit allowed them. */
  readonly wanted: number;
  readonly takeovers: number;
  readonly connects: number;
  /** The number of accounts with an open session or a waiting caller. */
  readonly accounts: number;
  readonly isBreakerOpen: boolean;
}

/**
 * The purpose of a session. `short`: a write of one record. `burst`: a short list, or one autocommitted
 * statement that writes several records. `long`: anything else that may take server time. See
 * `tenant-registry.ts` for the limits.
 */
export type SessionNeed = 'short' | 'burst' | 'long';

/** One account of one tenant. Sessions are never shared between accounts. */
export interface PoolAccount {
  /** The user name of the account. It is unique on the server and identifies the account in the pool. */
  readonly user: string;
  /**
   * Returns the password. It is called when a session logs in, so the password stays encrypted until then.
   */
  readonly password: () => string;
  readonly schema: string;
  /** The platform's id of the database, for repairing the account. */
  readonly databaseId?: string;
  /**
   * The maximum number of connections of this account in this process. Streams of the account have a separate
   * limit.
   */
  readonly connectionsMax: number;
  /**
   * The number of additional connections for short writes, which mostly wait for the disk. If it is missing,
   * short writes are treated like other statements.
   */
  readonly writesMax?: number;
  /** Whether writes are paused because the database is about to move to another server. */
  readonly isPaused?: () => boolean;
  /**
   * Returns the tables whose statements run code of the tenant, such as triggers. That code may leave locks,
   * variables or settings in the session.
   */
  readonly codeTables?: () => readonly string[];
  /** Streams of an account have connections of their own, separate from its short requests. */
  readonly purpose?: 'stream';
}

/**
 * Receives the rows of one result as they arrive, and returns the result of the statement at the end. Rows
 * are arrays of values, or bytes from the platform's packet reader.
 */
export interface RowSink<R> {
  /** Called once before the statement is sent, for sinks that need flow control. */
  readonly onFlow?: (flow: StatementFlow) => void;
  /**
   * Called once, before the first row and before `wire`. It is not called for a statement without rows. Null
   * if the sink does not need descriptions.
   */
  readonly columns: ((columns: readonly ResultColumn[]) => void) | null;
  /**
   * For sinks that accept rows as bytes of the protocol. Called before the first row if the platform's packet
   * reader is used. If it is missing or returns null, rows are passed as values.
   */
  readonly wire?: (layout: RowLayout) => WireRows | null;
  /**
   * Receives one row. If it returns `false`, the statement is stopped on the server and the connection is
   * dropped.
   */
  row(values: readonly DbValue[]): boolean | void;
  /**
   * For sinks that write large rows in slices. Called before `end`, which waits for the promise. Returns null
   * if everything is written.
   */
  late?(): Promise<void> | null;
  end(counts: WriteCounts): R;
}

/**
 * Receives the unchanged bytes of a row from `start`, the byte after the packet's marker, to `end`. `bytes`
 * may be kept but not modified.
 */
export interface WireRows {
  row(bytes: Buffer, start: number, end: number): boolean | void;
}

/** Describes how several reads of one row, each by an integer key, are combined into one statement. */
export interface PointRead {
  /** The index of the key column among the columns of the result. */
  readonly at: number;
  /** Returns the statement for `count` keys. */
  readonly sqlOf: (count: number) => string;
}

/** A read of one row by its key. */
export interface KeyedStatement {
  readonly sql: string;
  readonly params: readonly BindValue[];
  /** Set if the key is one integer: how several reads with the same SQL text are combined. */
  readonly point?: PointRead | null;
}

/** One of two statements that are sent together. `makeSink` creates a new sink for each attempt. */
export interface PairedStatement<R> {
  readonly sql: string;
  readonly values: readonly BindValue[];
  makeSink(): RowSink<R>;
}

/**
 * An autocommitted write, and a read that does not depend on the result of the write. Both are sent in one
 * round trip if possible. The read's result is ignored when the write was rejected.
 */
export interface ShortWrite<A, B> {
  readonly write: PairedStatement<A>;
  /** Null when there is only a write. */
  readonly read: PairedStatement<B> | null;
}

/** Flow control of a running statement. Its methods do nothing once the statement has ended. */
export interface StatementFlow {
  /** Pauses the rows. Some rows may still arrive after the call. */
  pause(): void;
  resume(): void;
  /**
   * Stops the statement on the server and drops the session. It is called when the remaining rows are not
   * needed.
   */
  stop(): void;
}

/** The counts of a statement without rows. */
export interface WriteCounts {
  /** The number of rows that the statement matched. It includes rows that already had the new value. */
  readonly affectedRows: number;
  /** The insert id as digits, because it may exceed 2^53. '0' when none was assigned. */
  readonly insertId: string;
  readonly warnings: number;
}

export interface StatementResult<R> {
  readonly kind: 'rows' | 'counts';
  /** The result that the sink returned. A statement without rows has an empty one. */
  readonly rows: R;
  readonly counts: WriteCounts;
  /** Whether the sink stopped the statement before its last row. */
  readonly isCut: boolean;
  readonly elapsedMs: number;
}
