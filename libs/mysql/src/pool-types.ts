import type { EngineKind } from '@rowhouse/schema-model';
import type { PointRead } from '@rowhouse/rest-engine';
import type { RowLayout } from './wire/row-layout.js';

/** One address of a server that has several. */
export interface PoolNode {
  readonly host: string;
  readonly port: number;
}

/** A MySQL-protocol endpoint, as its row in the platform database gives it. */
export interface PoolServer {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  /** Of a cluster: its other addresses, in the order in which they are tried. */
  readonly nodes?: readonly PoolNode[];
  /** Its nodes may lag behind each other, and may have to be asked whether they serve. */
  readonly isGalera?: boolean;
  readonly tls: 'off' | 'required';
  /** PEM of the authority that its certificate is from; without it, those that Node knows, and it has to be for this host. */
  readonly ca?: string;
  readonly engine: EngineKind;
  /** Of this process on this server, over all tenants. */
  readonly connectionsMax: number;
  /** Of all processes together; as `connectionsMax` where this one is alone. */
  readonly connectionsTotal?: number;
}

/**
 * What a session is wanted for: `short`, a write of one record; `burst`, a short list, or one statement that writes several records and
 * commits by itself; `long`, whatever else may take the server's time. What there is of each: `pool-tenant-book.ts`.
 */
export type SessionNeed = 'short' | 'burst' | 'long';

/** One account of one tenant. Connections of different accounts never share a session. */
export interface PoolAccount {
  /** Unique on the server; names the account in the pool. */
  readonly user: string;
  /** Called when a session logs in, so that passwords stay sealed until then. */
  readonly password: () => string;
  readonly schema: string;
  /** The platform's id of the database, for whoever repairs the account. */
  readonly databaseId?: string;
  /** At most this many connections of this account (and lane) at once in this process. */
  readonly connectionsMax: number;
  /** So many more for short writes alone, which wait for the disk more than they work; without it they are like anything else. */
  readonly writesMax?: number;
  /** Whether its writes are held, since its database is about to lie elsewhere. */
  readonly isShut?: () => boolean;
  /** Names of tables whose statements run code of the tenant, which may leave locks, variables or settings on the session. */
  readonly codeTables?: () => readonly string[];
  /** Long work of an account has connections of its own, beside those of its short requests. */
  readonly lane?: 'stream';
}

/** What a statement binds. Anything that is no scalar is refused by the type, since the driver would guess. */
export type BindValue = string | number | bigint | boolean | Uint8Array | null;

/**
 * A value as the wire gives it: 64-bit integers and decimals as their digits, temporal values as their text,
 * BIT and binary columns as bytes, everything of 32 bits and below and floating point as numbers, a VECTOR as its numbers.
 */
export type DbValue = string | number | Buffer | readonly number[] | null;

/** A result column as the server describes it. */
export interface ResultColumn {
  readonly name: string;
  /** The table as the statement calls it; '' for expressions. */
  readonly table: string;
  readonly orgTable: string;
  readonly orgName: string;
  /** The protocol's type number. */
  readonly typeCode: number;
  readonly flags: number;
  /** 63 is binary. */
  readonly charset: number;
  /** Display length in bytes. */
  readonly length: number;
  readonly decimals: number;
  /** MariaDB sends JSON as text and says so apart. */
  readonly isJson: boolean;
  /** MariaDB's name for types that the protocol has no number for: `uuid`, `inet6`, `point`; '' otherwise. */
  readonly extendedType: string;
}

/**
 * Takes the rows of one result as they arrive. What it gives back at the end is the statement's result.
 * The driver feeds it arrays; our own reader of answers does so too, or hands over the bytes.
 */
export interface RowSink<R> {
  /** Once, before the statement is sent: for sinks that cannot always take what comes. */
  readonly onFlow?: (flow: StatementFlow) => void;
  /** Once, before the first row and before `wire`; not at all for a statement without rows. Null: the sink knows them, nobody need describe them. */
  readonly columns: ((columns: readonly ResultColumn[]) => void) | null;
  /**
   * For sinks that can take rows as the bytes of the wire: asked before the first row, where the answer is read so at
   * all. Null, or left out: rows come as values.
   */
  readonly wire?: (layout: RowLayout) => WireRows | null;
  /** `false` stops the statement on the server and drops the connection. */
  row(values: readonly DbValue[]): boolean | void;
  /** Of sinks that take large rows in slices: asked before `end`, and waited for. Null: all is done. */
  late?(): Promise<void> | null;
  end(counts: WriteCounts): R;
}

/** Takes rows of one layout as they came, from `start`, the byte after the packet's mark, to `end`. `bytes` may be kept, but not changed. */
export interface WireRows {
  row(bytes: Buffer, start: number, end: number): boolean | void;
}

/** Whoever has much to do in one go waits for a turn of the event loop, so that others come in between. */
export interface Turns {
  /** Calls back in a later turn. `owner`: who wants it; owners are served one after the other. */
  wait(owner: string, goOn: () => void): void;
}

/** A read of one row by its key. */
export interface KeyedStatement {
  readonly sql: string;
  readonly params: readonly BindValue[];
  /** For a key of one integer: how reads of the same text are made as one. */
  readonly point?: PointRead | null;
}

/** One of two statements that go together; `makeSink` gives a new sink each time. */
export interface PairedStatement<R> {
  readonly sql: string;
  readonly values: readonly BindValue[];
  makeSink(): RowSink<R>;
}

/**
 * A write that commits by itself, and the read behind it that needs nothing of what the write gives: in one trip where that can
 * be, one after the other where not. What the read finds is not looked at when the write was refused.
 */
export interface ShortWrite<A, B> {
  readonly write: PairedStatement<A>;
  /** Null: the write is all. */
  readonly read: PairedStatement<B> | null;
}

/** A hold on a statement that runs. Does nothing once the statement is over. */
export interface StatementFlow {
  /** The server waits with further rows; some that are on their way still come. */
  pause(): void;
  resume(): void;
  /** The rest is not wanted, or nobody is there to take it: the statement is stopped on the server and the session dropped. */
  stop(): void;
}

/** Of a statement without rows. */
export interface WriteCounts {
  /** Found rows, also those that had the value already. */
  readonly affectedRows: number;
  /** Digits, since it may be beyond 2^53; '0' when nothing was assigned. */
  readonly insertId: string;
  readonly warnings: number;
}

export interface StatementResult<R> {
  readonly kind: 'rows' | 'counts';
  /** What the sink gave; of an empty sink for a statement without rows. */
  readonly rows: R;
  readonly counts: WriteCounts;
  /** The sink asked to stop. */
  readonly isCut: boolean;
  readonly elapsedMs: number;
}
