import { Injectable } from '@nestjs/common';
import type { DriftAnswer } from '@rowhouse/contracts';
import { tableStructureText } from '@rowhouse/ddl-plan';
import type { Snapshot } from '@rowhouse/schema-model';
import { decodeSnapshot } from '@rowhouse/snapshot-store';
import { MigrationRow } from '../../platform-db/entities/migration-row.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { DatabaseService } from '../databases/database-service.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';
import { WorkingSchemaStore } from '../schema/working-schema-store.js';

/** Compares what the databases of a project run: with the last deploy of each, and with each other. */
@Injectable()
export class DriftService {
  constructor(
    private readonly db: PlatformDb,
    private readonly databases: DatabaseService,
    private readonly snapshots: SnapshotReader,
    private readonly schemas: WorkingSchemaStore,
  ) {}

  /** Development first; the others are compared with it. */
  async find(projectId: string): Promise<DriftAnswer> {
    const rows = await this.databases.listOf(projectId);
    const ordered = [...rows].sort((a, b) => Number(b.environment === 'development') - Number(a.environment === 'development') || (a.environment < b.environment ? -1 : 1));
    const first = ordered[0] === undefined ? null : await this.snapshots.deployed(ordered[0]);
    const databases: DriftAnswer['databases'] = [];
    for (const row of ordered) {
      const deployed = await this.snapshots.deployed(row);
      databases.push({
        database: row.id, environment: row.environment, snapshot: row.snapshotNumber,
        revision: await this.#deployedRevision(row), direct: await this.#findDirect(row, deployed), differs: compare(first, deployed),
      });
    }
    return { revision: (await this.schemas.newest(projectId)).revision, databases };
  }

  async #deployedRevision(database: TenantDatabase): Promise<number> {
    const last = await this.db.cell
      .getRepository(MigrationRow)
      .createQueryBuilder('m')
      .where("m.databaseId = :id AND m.state = 'published' AND m.origin <> 'direct'", { id: database.id })
      .orderBy('m.publishedNumber', 'DESC')
      .getOne();
    return last?.revision ?? 0;
  }

  async #findDirect(database: TenantDatabase, deployed: Snapshot | null): Promise<string[]> {
    const [row] = await this.db.cell.query<{ content_hash: string; body: Buffer }[]>(
      `SELECT s.content_hash, c.body FROM snapshot s JOIN snapshot_content c ON c.content_hash = s.content_hash
       WHERE s.database_id = ? AND s.origin <> 'direct' AND s.state = 'published' ORDER BY s.number DESC LIMIT 1`,
      [database.id],
    );
    if (row === undefined || row.content_hash === database.snapshotHash) return [];
    return compare(decodeSnapshot(row.body, row.content_hash), deployed).map((entry) => entry.object);
  }
}

function compare(first: Snapshot | null, here: Snapshot | null): DriftAnswer['databases'][number]['differs'] {
  const [before, after] = [first, here].map(describeAll);
  const names = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])].sort();
  return names.flatMap((object) => {
    const [old, now] = [before?.get(object), after?.get(object)];
    if (old === now) return [];
    return [{ object, how: old === undefined ? 'only_here' : now === undefined ? 'missing_here' : 'other' } as const];
  });
}

function describeAll(snapshot: Snapshot | null): Map<string, string> {
  const tables = (snapshot?.tables ?? []).map((table): [string, string] => [table.name, tableStructureText(table)]);
  const routines = (snapshot?.routines ?? []).map((routine): [string, string] => [`${routine.kind} ${routine.name}`, routine.createSql]);
  return new Map([...tables, ...routines]);
}
