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
  /** The other addresses of a cluster, in the order in which they are tried. */
  readonly nodes?: readonly PoolNode[];
  /** Whether nodes may lag behind each other and may need to be asked whether they serve. */
  readonly isGalera?: boolean;
  readonly tls: 'off' | 'required';
  /**
   * The certificate authority of the server as PEM. Without it, the authorities known to Node apply, and the
   * host name is verified.
   */
  readonly ca?: string;
  readonly engine: EngineKind;
  /** The maximum number of sessions of this process on this server, over all tenants. */
  readonly connectionsMax: number;
  /** The maximum of all processes together. Equals `connectionsMax` when this process is the only one. */
  readonly connectionsTotal?: number;
}

/** The state of the pool of one server in this process. Counts are sessions unless stated otherwise. */
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
  /** Unique on the server. Identifies the account in the pool. */
  readonly user: string;
  /** Called when a session logs in, so the password stays encrypted until then. */
  readonly password: () => string;
  readonly schema: string;
  /** The platform's id of the database, for repairing the account. */
  readonly databaseId?: string;
  /** The maximum number of connections of this account and purpose in this process. */
  readonly connectionsMax: number;
  /**
   * The number of additional connections for short writes, which mostly wait for the disk. Without it, short
   * writes are treated like other statements.
   */
  readonly writesMax?: number;
  /** Whether writes are paused because the database is about to move to another server. */
  readonly isPaused?: () => boolean;
  /**
   * The tables whose statements run code of the tenant, which may leave locks, variables or settings on the
   * session.
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
   * Called once before the first row and before `wire`, but not for a statement without rows. Null when the
   * sink does not need descriptions.
   */
  readonly columns: ((columns: readonly ResultColumn[]) => void) | null;
  /**
   * For sinks that accept rows as wire bytes. Called before the first row, if the packet reader is used. With
   * null or undefined, rows are passed as values.
   */
  readonly wire?: (layout: RowLayout) => WireRows | null;
  /** Returning `false` stops the statement on the server and drops the connection. */
  row(values: readonly DbValue[]): boolean | void;
  /**
   * For sinks that write large rows in slices. Called before `end` and awaited. Null when everything is
   * written.
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

/** How several reads of one row by an integer key are combined into one. */
export interface PointRead {
  /** The index of the key among the result's columns. */
  readonly at: number;
  /** Returns the statement for `count` keys. */
  readonly sqlOf: (count: number) => string;
}

/** A read of one row by its key. */
export interface KeyedStatement {
  readonly sql: string;
  readonly params: readonly BindValue[];
  /** For a key of one integer: how several reads with the same text are combined. */
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

/** Flow control of a running statement. Does nothing once the statement has ended. */
export interface StatementFlow {
  /** Pauses further rows. Some may still arrive. */
  pause(): void;
  resume(): void;
  /** Stops the statement on the server and drops the session, because the remaining rows are not needed. */
  stop(): void;
}

/** The counts of a statement without rows. */
export interface WriteCounts {
  /** The number of matched rows, including those that already had the value. */
  readonly affectedRows: number;
  /** The insert id as digits, because it may exceed 2^53. '0' when none was assigned. */
  readonly insertId: string;
  readonly warnings: number;
}

export interface StatementResult<R> {
  readonly kind: 'rows' | 'counts';
  /** The result of the sink, which is empty for a statement without rows. */
  readonly rows: R;
  readonly counts: WriteCounts;
  /** Whether the sink stopped the statement. */
  readonly isCut: boolean;
  readonly elapsedMs: number;
}
