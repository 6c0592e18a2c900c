import { Injectable } from '@nestjs/common';
import {
  DEFAULT_SCOPES,
  keyRecordKey,
  type CreatedKeyResponse,
  type CreateKeyRequest,
  type KeyResponse,
  type RotatedKeyResponse,
  type RotateKeyRequest,
  type TableRights,
} from '@rowhouse/contracts';
import { hashReadRights, hashWriteRights } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { In, IsNull, LessThanOrEqual, MoreThan, type EntityManager, type FindOptionsWhere } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { changedConcurrently, ReachFinder } from '../../access/reach-finder.js';
import { readExpiry } from '../../http/timestamps.js';
import { findUnknownNames, rejectUnknownNames } from '../../http/reject-unknown-names.js';
import { ApiKey } from '../../platform-db/entities/api-key.js';
import { DatabaseAccount } from '../../platform-db/entities/database-account.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { insertRow } from '../../platform-db/typed-rows.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { ChangeLog } from '../../platform/change-log.js';
import { Secrets } from '../../platform/secrets.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';
import { makeKeyRow, toKeyResponse, grantSqlWrites } from './key-row.js';

/** The maximum number of active keys of a database. */
const KEYS_MAX = 1_000;
/** The maximum number of keys of a database, including rotated keys during their overlap. */
const KEYS_WITH_ROTATED_MAX = 2 * KEYS_MAX;
/**
 * The maximum number of valid keys in a list. It exceeds the limit above, because concurrent requests may
 * slightly exceed that limit.
 */
const LIVE_SHOWN_MAX = 2 * KEYS_WITH_ROTATED_MAX;
/** The number of expired keys shown, newest first. */
const ENDED_SHOWN_MAX = 1_000;
const RIGHTS_MAX = 100;

/** Manages API keys of a database. The secret is only returned when a key is created. */
@Injectable()
export class KeyService {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
    private readonly changes: ChangeLog,
    private readonly tasks: TaskRunner,
    private readonly snapshots: SnapshotReader,
    private readonly reachFinder: ReachFinder,
    private readonly audit: AuditWriter,
  ) {}

  async list(databaseId: string): Promise<KeyResponse[]> {
    // All valid keys are listed, whatever the number of expired ones, because users can only revoke keys that
    // they see.
    const live = await this.#rows.find({
      where: this.#liveOf(databaseId),
      order: { createdAt: 'ASC' },
      take: LIVE_SHOWN_MAX,
    });
    const ended = await this.#rows.find({
      where: { ...ownOf(databaseId), expiresAt: LessThanOrEqual(new Date(this.db.nowMs())) },
      order: { createdAt: 'DESC' },
      take: ENDED_SHOWN_MAX,
    });
    const rows = new Map([...ended, ...live].map((row) => [row.id, row]));
    return [...rows.values()]
      .sort((apiKey, other) => apiKey.createdAt.getTime() - other.createdAt.getTime())
      .map(toKeyResponse);
  }

  async create(context: RequestContext, body: CreateKeyRequest): Promise<CreatedKeyResponse> {
    if (context.database.provisionState !== 'ready')
      throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
    const created = await this.insert(context.database, body, context.accountId, (manager, row) =>
      this.audit.record(manager, context, {
        action: 'key.create',
        target: row.id,
        detail: { name: row.name, scopes: row.scopes, tables: row.tables },
      }),
    );
    await this.#assertAccessUnchanged(context, created.id);
    return created;
  }

  /**
   * Revokes the key if the caller lost the role or the credential, or the project was moved or deleted in the
   * meantime. Creating the accounts of a key takes time.
   */
  async #assertAccessUnchanged(context: RequestContext, id: string): Promise<void> {
    if (await this.reachFinder.isAccessUnchanged(context)) return;
    const key = await this.#rows.findOneByOrFail({ id });
    await this.#end(key, (manager) =>
      this.audit.record(manager, context, {
        action: 'key.revoke',
        target: key.id,
        detail: { name: key.name, is_incomplete: true },
      }),
    );
    throw changedConcurrently();
  }

  /**
   * Creates a key. The account of a restricted key exists on the server before the key is returned. `record`
   * writes the audit event in the same transaction.
   */
  async insert(
    database: TenantDatabase,
    body: CreateKeyRequest,
    accountId: string,
    record: (manager: EntityManager, key: KeyResponse) => Promise<void>,
  ): Promise<CreatedKeyResponse> {
    const expiresAt = readExpiry(body.expires_at, this.db.nowMs());
    const scopes = [...new Set(body.scopes ?? DEFAULT_SCOPES)];
    const tables = body.tables === undefined ? null : toRights(body.tables);
    if (tables !== null) await this.#assertTables(database, tables);
    const rightsHash = hashReadRights(tables);
    await this.#assertCapacity(database.id, [
      ...(tables !== null && scopes.includes('query') ? [`query ${rightsHash}`] : []),
      ...(scopes.includes('query:write') ? [`query_write ${hashWriteRights(scopes, tables)}`] : []),
    ]);
    if (tables !== null && scopes.includes('query')) {
      await this.tasks.assertCapacityForGrants(database.projectId);
      await this.tasks.run(
        'grant_rights',
        { database_id: database.id, rights_hash: rightsHash, tables },
        { databaseId: database.id, projectId: database.projectId },
      );
    }
    await grantSqlWrites(this.tasks, database, scopes, tables);
    const { row, secret } = makeKeyRow(database, this.secrets, {
      kind: 'api',
      lineageId: createId('lin'),
      name: body.name,
      scopes,
      tables,
      rightsHash,
      origins: body.origins ?? null,
      rate: body.rate ?? null,
      rowsExaminedMax: body.rows_examined_max ?? null,
      createdBy: accountId,
      expiresAt,
      sessionId: null,
    });
    await this.changes.record(
      async (manager) => {
        await insertRow(manager.getRepository(ApiKey), row);
        await record(manager, toKeyResponse(row));
      },
      { databaseId: database.id, kind: 'key', version: 0, staleKeys: [this.#recordKey(row.keyHash)] },
    );
    return { ...toKeyResponse(row), secret };
  }

  /**
   * Creates a new secret with the same rights and lineage, so stored Idempotency-Keys continue to apply. The
   * previous key stays valid for `overlap_seconds`. `last_used_at` of the previous key shows when no client
   * uses that key any more.
   */
  async rotate(context: RequestContext, body: RotateKeyRequest): Promise<RotatedKeyResponse> {
    const { key, database } = context;
    await this.#assertRotatable(key, body.overlap_seconds);
    await this.reachFinder.assertAccessUnchanged(context);
    const expiresAt =
      body.expires_at === undefined ? key.expiresAt : readExpiry(body.expires_at, this.db.nowMs());
    const { row, secret } = makeKeyRow(database, this.secrets, {
      ...key,
      createdBy: context.accountId,
      expiresAt,
    });
    const now = this.db.nowMs();
    const endsAt = new Date(
      Math.min(now + body.overlap_seconds * 1_000, key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY),
    );
    const previous = {
      expiresAt: endsAt,
      replacedBy: row.id,
      ...(body.overlap_seconds === 0 ? { revokedAt: new Date(now) } : {}),
    };
    await this.changes.record(
      async (manager) => {
        const { affected } = await manager
          .getRepository(ApiKey)
          .update({ id: key.id, revokedAt: IsNull(), replacedBy: IsNull() }, previous);
        if (affected === 0)
          throw new AppError('resource.conflict', {
            detail: 'This key was rotated or revoked during the request.',
          });
        await insertRow(manager.getRepository(ApiKey), row);
        await this.audit.record(manager, context, {
          action: 'key.rotate',
          target: key.id,
          detail: { name: key.name, replaced_by: row.id, overlap_seconds: body.overlap_seconds },
        });
      },
      {
        databaseId: key.databaseId,
        kind: 'key',
        version: 0,
        staleKeys: [this.#recordKey(key.keyHash), this.#recordKey(row.keyHash)],
      },
    );
    await this.#assertAccessUnchanged(context, row.id);
    return {
      ...toKeyResponse(row),
      secret,
      previous: toKeyResponse(Object.assign(new ApiKey(), key, previous)),
    };
  }

  /** Throws unless the key is valid, was not replaced yet, and the database may have one more valid key. */
  async #assertRotatable(key: ApiKey, overlapSeconds: number): Promise<void> {
    if (!isLive(key, this.db.nowMs()))
      throw new AppError('resource.not_found', { detail: 'The key does not exist.' });
    if (key.replacedBy !== null)
      throw new AppError('resource.conflict', {
        detail: 'This key was already rotated. Rotate the key that replaced it.',
        extra: { replaced_by: key.replacedBy },
      });
    if (
      overlapSeconds > 0 &&
      (await this.#rows.countBy(this.#liveOf(key.databaseId))) >= KEYS_WITH_ROTATED_MAX
    ) {
      throw new AppError('resource.conflict', {
        detail:
          `A database can have at most ${KEYS_WITH_ROTATED_MAX} active keys, including rotated keys ` +
          'that are still valid.',
        hint: 'Revoke one you no longer need, or rotate with "overlap_seconds": 0.',
      });
    }
  }

  /**
   * Revokes a key. When this resolves, the row is revoked, the shared copy is deleted and the gateways are
   * notified.
   */
  async revoke(context: RequestContext): Promise<void> {
    const { key } = context;
    if (key.revokedAt !== null || key.kind !== 'api')
      throw new AppError('resource.not_found', { detail: 'The key does not exist.' });
    await this.#end(key, (manager) =>
      this.audit.record(manager, context, {
        action: 'key.revoke',
        target: key.id,
        detail: { name: key.name },
      }),
    );
  }

  #end(
    { id, databaseId, keyHash }: ApiKey,
    record: (manager: EntityManager) => Promise<void>,
  ): Promise<unknown> {
    return this.changes.record(
      async (manager) => {
        await manager.getRepository(ApiKey).update({ id, revokedAt: IsNull() }, { revokedAt: new Date() });
        await record(manager);
      },
      { databaseId, kind: 'key', version: 0, staleKeys: [this.#recordKey(keyHash)] },
    );
  }

  async #assertTables(database: TenantDatabase, tables: TableRights): Promise<void> {
    const known = (await this.snapshots.deployed(database))?.tables.map((table) => table.name) ?? [];
    rejectUnknownNames(
      findUnknownNames(Object.keys(tables), known, (name) => ({
        loc: ['body', 'tables', name],
        msg: `The table ${name} does not exist.`,
        type: 'unknown_table',
      })),
    );
  }

  /**
   * Throws `resource.conflict` when the database has too many active keys or distinct sets of rights, because
   * each set is a permanent account on its server.
   */
  async #assertCapacity(databaseId: string, accounts: readonly string[]): Promise<void> {
    if ((await this.#rows.countBy(this.#liveOf(databaseId))) >= KEYS_MAX)
      throw new AppError('resource.conflict', {
        detail: `A database can have at most ${KEYS_MAX} active keys.`,
        hint: 'Revoke one you no longer need.',
      });
    if (accounts.length === 0) return;
    const rows = await this.db.cell.getRepository(DatabaseAccount).find({
      where: { databaseId, kind: In(['query', 'query_write']) },
      select: { databaseId: true, kind: true, rightsHash: true },
    });
    const present = new Set(rows.map((row) => `${row.kind} ${row.rightsHash}`));
    if (accounts.every((account) => present.has(account)) || present.size < RIGHTS_MAX) return;
    throw new AppError('resource.conflict', {
      detail: `The keys of a database can have at most ${RIGHTS_MAX} different sets of tables for queries.`,
      hint: 'Use the same tables as another key, or remove the query scopes.',
    });
  }

  #liveOf(databaseId: string): FindOptionsWhere<ApiKey>[] {
    const own = ownOf(databaseId);
    return [
      { ...own, expiresAt: IsNull() },
      { ...own, expiresAt: MoreThan(new Date(this.db.nowMs())) },
    ];
  }

  #recordKey(keyHash: Buffer): string {
    return keyRecordKey(this.db.cellId, keyHash.toString('hex'));
  }

  get #rows() {
    return this.db.cell.getRepository(ApiKey);
  }
}

/** Matches keys that users created and that are not revoked. */
function ownOf(databaseId: string): {
  readonly databaseId: string;
  readonly kind: 'api';
  readonly revokedAt: ReturnType<typeof IsNull>;
} {
  return { databaseId, kind: 'api', revokedAt: IsNull() };
}

/** Returns the rights with each verb once. Inherited members, such as `constructor`, are ignored. */
function toRights(tables: NonNullable<CreateKeyRequest['tables']>): TableRights {
  return Object.fromEntries(Object.entries(tables).map(([name, verbs]) => [name, [...new Set(verbs)]]));
}

/** Returns whether a key that a user created is neither revoked nor expired. */
function isLive(key: ApiKey, nowMs: number): boolean {
  return (
    key.kind === 'api' &&
    key.revokedAt === null &&
    (key.expiresAt === null || key.expiresAt.getTime() > nowMs)
  );
}
