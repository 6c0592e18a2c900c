import { Injectable } from '@nestjs/common';
import { DEFAULT_SCOPES, keyRecordKey, type CreatedKeyAnswer, type CreateKeyRequest, type KeyAnswer, type TableRights } from '@rowhouse/contracts';
import { generateApiKey, hashReadRights } from '@rowhouse/credentials';
import { AppError, nearestNames, validationError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { IsNull } from 'typeorm';
import type { CallContext } from '../../access/call-context.js';
import { readExpiry } from '../../http/read-expiry.js';
import { toIso } from '../../http/to-iso.js';
import { ApiKey } from '../../platform-db/entities/api-key.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { ChangeLog } from '../../platform/change-log.js';
import { Secrets } from '../../platform/secrets.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';

/** API keys of a database. The key itself is in the answer to its creation and nowhere else. */
@Injectable()
export class KeyService {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
    private readonly changes: ChangeLog,
    private readonly tasks: TaskRunner,
    private readonly snapshots: SnapshotReader,
    private readonly audit: AuditWriter,
  ) {}

  async list(databaseId: string): Promise<KeyAnswer[]> {
    const rows = await this.#rows.find({ where: { databaseId, kind: 'api', revokedAt: IsNull() }, order: { createdAt: 'ASC' }, take: 1_000 });
    return rows.map(toKeyAnswer);
  }

  async create(call: CallContext, body: CreateKeyRequest): Promise<CreatedKeyAnswer> {
    if (call.database.provisionState !== 'ready') throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
    const created = await this.insert(call.database, body, call.accountId);
    await this.audit.write(call, { action: 'key.create', target: created.id, detail: { name: created.name, scopes: created.scopes, tables: created.tables } });
    return created;
  }

  /** The account of narrowed rights exists on the server before the key is told. */
  async insert(database: TenantDatabase, body: CreateKeyRequest, accountId: string): Promise<CreatedKeyAnswer> {
    const expiresAt = readExpiry(body.expires_at);
    const scopes = [...new Set(body.scopes ?? DEFAULT_SCOPES)];
    const tables = body.tables === undefined ? null : toRights(body.tables);
    if (tables !== null) await this.#assertTables(database, tables);
    const rightsHash = hashReadRights(tables);
    if (tables !== null && scopes.includes('query')) {
      await this.tasks.run('grant_rights', { database_id: database.id, rights_hash: rightsHash, tables }, { databaseId: database.id, projectId: database.projectId });
    }
    const secret = generateApiKey(database.environment, database.slot);
    const keyHash = this.secrets.hash(secret);
    const row = Object.assign(new ApiKey(), {
      id: createId('key'),
      cellId: this.db.cellId,
      databaseId: database.id,
      lineageId: createId('lin'),
      kind: 'api',
      name: body.name,
      keyHash,
      last4: secret.slice(-4),
      scopes,
      tables,
      rightsHash,
      origins: body.origins ?? null,
      rate: body.rate ?? null,
      createdBy: accountId,
      createdAt: new Date(),
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
    });
    await this.changes.record(
      (manager) => manager.getRepository(ApiKey).insert(row as never),
      { databaseId: database.id, kind: 'key', version: 0, staleKeys: [this.#recordKey(keyHash)] },
    );
    return { ...toKeyAnswer(row), secret };
  }

  /** When this resolves, the row is revoked, the shared copy is gone and the gateways have been told. */
  async revoke(call: CallContext): Promise<void> {
    const { key } = call;
    if (key.revokedAt !== null) throw new AppError('resource.not_found', { detail: 'There is no such key.' });
    await this.changes.record(
      (manager) => manager.getRepository(ApiKey).update({ id: key.id, revokedAt: IsNull() }, { revokedAt: new Date() }),
      { databaseId: key.databaseId, kind: 'key', version: 0, staleKeys: [this.#recordKey(key.keyHash)] },
    );
    await this.audit.write(call, { action: 'key.revoke', target: key.id, detail: { name: key.name } });
  }

  async #assertTables(database: TenantDatabase, tables: TableRights): Promise<void> {
    const known = (await this.snapshots.deployed(database))?.tables.map((table) => table.name) ?? [];
    const unknown = Object.keys(tables).filter((name) => !known.includes(name));
    if (unknown.length === 0) return;
    const near = [...new Set(unknown.flatMap((name) => nearestNames(name, known)))];
    throw validationError(
      'body.invalid',
      unknown.map((name) => ({ loc: ['body', 'tables', name], msg: `There is no table ${name} in this database.`, type: 'unknown_table' })),
      near.length > 0 ? `Did you mean ${near.join(', ')}?` : undefined,
    );
  }

  #recordKey(keyHash: Buffer): string {
    return keyRecordKey(this.db.cellId, keyHash.toString('hex'));
  }

  get #rows() {
    return this.db.cell.getRepository(ApiKey);
  }
}

/** Own members only, each verb once. */
function toRights(tables: NonNullable<CreateKeyRequest['tables']>): TableRights {
  return Object.fromEntries(Object.entries(tables).map(([name, verbs]) => [name, [...new Set(verbs)]]));
}

function toKeyAnswer(row: ApiKey): KeyAnswer {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    tables: row.tables,
    origins: row.origins,
    rate: row.rate,
    last4: row.last4,
    created_at: row.createdAt.toISOString(),
    expires_at: toIso(row.expiresAt),
    last_used_at: toIso(row.lastUsedAt),
  };
}
