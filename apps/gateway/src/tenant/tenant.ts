import type { DatabaseRecord, KeyRecord } from '@rowhouse/contracts';
import type { PoolAccount, PoolServer } from '@rowhouse/mysql';
import type { DatedPointer, RightsView } from '@rowhouse/snapshot-store';

/** The location of a database, with changes that became known after its record was read. */
export interface TenantPlacement {
  /**
   * True while a move pauses writes, and once this record is no longer in memory. Writes then wait for the
   * current record.
   */
  isPaused: boolean;
  /** True after a change to anything but the snapshot. Rights must be read again before they are used. */
  isOutdated: boolean;
  /** The newer record of this database, if a request has waited for one. */
  latest: TenantDatabase | null;
}

/** A database as this process serves it. It is replaced as a whole when anything but its snapshot changes. */
export interface TenantDatabase {
  readonly record: DatabaseRecord;
  readonly placement: TenantPlacement;
  readonly server: PoolServer;
  readonly rowsAccount: PoolAccount | null;
  /** The accounts by rights hash. The empty string is the account for the whole database. */
  readonly queryAccounts: ReadonlyMap<string, PoolAccount>;
  /** The accounts for SQL that writes, by the hash of the writable tables. */
  readonly writeAccounts: ReadonlyMap<string, PoolAccount>;
  /**
   * The pointer that was read with the record, for the first load of the snapshot. Its number is 0 when the
   * pointer must be read from the platform database.
   */
  readonly pointer: DatedPointer;
}

/** The tenant to which a key resolves. */
export interface Tenant {
  readonly key: KeyRecord;
  readonly keyHash: string;
  readonly database: TenantDatabase;
  readonly view: RightsView;
}
