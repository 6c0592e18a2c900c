import type { DatabaseRecord, KeyRecord } from '@rowhouse/contracts';
import type { PoolAccount, PoolServer } from '@rowhouse/mysql';
import type { DatedPointer, RightsView } from '@rowhouse/snapshot-store';

/** Where a database lies, as far as it has become known since its record was read. */
export interface TenantPlace {
  /** Its writes are held, or it lies elsewhere by now. */
  isShut: boolean;
  /** Something other than its snapshot has changed: rights must be read again before they are used. */
  isOutdated: boolean;
  /** What it was read anew as; null while this is the newest that anybody has waited for. */
  latest: TenantDatabase | null;
}

/** A database as this process serves it. Replaced as a whole when anything but its snapshot changes. */
export interface TenantDatabase {
  readonly record: DatabaseRecord;
  readonly place: TenantPlace;
  readonly server: PoolServer;
  readonly rowsAccount: PoolAccount | null;
  /** By rights hash; '' is the account of the whole database. */
  readonly queryAccounts: ReadonlyMap<string, PoolAccount>;
  /** For SQL that writes, by the hash of what may be written. */
  readonly writeAccounts: ReadonlyMap<string, PoolAccount>;
  /** As read with the record: only for the first load of its snapshot. The number is 0 where the pointer has to be read at its source. */
  readonly pointer: DatedPointer;
}

/** What a key resolves to. */
export interface Tenant {
  readonly key: KeyRecord;
  readonly keyHash: string;
  readonly database: TenantDatabase;
  readonly view: RightsView;
}
