import { Inject, Injectable } from '@nestjs/common';
import type { ValueIndexResponse } from '@rowhouse/contracts';
import type { ChangePublisher } from '@rowhouse/queue';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { CHANGE_PUBLISHER } from '../../platform/tokens.js';

interface IndexRow {
  version: string;
  checked_at: Date | null;
  columns_count: number;
  values_count: number;
  bytes: number;
}

/** Reports the state of a database's value index. The control plane never reads the tenant's values. */
@Injectable()
export class ValueIndexService {
  constructor(
    private readonly db: PlatformDb,
    @Inject(CHANGE_PUBLISHER) private readonly publisher: ChangePublisher,
  ) {}

  async read(databaseId: string): Promise<ValueIndexResponse> {
    const [row] = await this.db.cell.query<IndexRow[]>(
      'SELECT version, checked_at, columns_count, values_count, bytes FROM value_index WHERE database_id = ? AND cell_id = ?',
      [databaseId, this.db.cellId],
    );
    if (row === undefined) return { checked_at: null, version: 0, columns: 0, values: 0, bytes: 0 };
    return {
      checked_at: row.checked_at?.toISOString() ?? null,
      version: Number(row.version),
      columns: row.columns_count,
      values: row.values_count,
      bytes: row.bytes,
    };
  }

  /** Requests an update of the index, because its content may have changed. */
  async want(databaseId: string): Promise<void> {
    await this.db.cell.query(
      'UPDATE value_index SET due_at = UTC_TIMESTAMP(3) WHERE database_id = ? AND cell_id = ?',
      [databaseId, this.db.cellId],
    );
    await this.publisher.requestValues(databaseId);
  }
}
