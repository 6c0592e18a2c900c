import { Inject, Injectable } from '@nestjs/common';
import {
  CONNECTION_USERS_MAX,
  connectionSecretPurpose,
  type ConnectionResponse,
  type ConnectionTestResponse,
  type CreateConnectionRequest,
  type CreatedConnectionResponse,
  type RotateConnectionRequest,
  type TestConnectionRequest,
} from '@rowhouse/contracts';
import { generatePassword } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { createId, randomBase32, type Logger } from '@rowhouse/runtime';
import { In, IsNull, MoreThan, Not, type EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { changedConcurrently, ReachFinder } from '../../access/reach-finder.js';
import type { Config } from '../../config.js';
import { readExpiry } from '../../http/timestamps.js';
import { ConnectionUser } from '../../platform-db/entities/connection-user.js';
import { ServerRow } from '../../platform-db/entities/server-row.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { updateRows } from '../../platform-db/typed-rows.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { forEachSettled } from '../../platform/for-each-settled.js';
import { Secrets } from '../../platform/secrets.js';
import { CONFIG, LOGGER } from '../../platform/tokens.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { lockDatabase } from '../databases/database-locks.js';
import { assertLive, toConnectionResponse } from './connection-response.js';
import { formatConnectionString } from './format-connection-string.js';

const REVOKE_DEADLINE_MS = 5_000;
const USER_NAME_RANDOM_LENGTH = 20;

/**
 * Manages the direct connections of a database. A password is passed to the worker encrypted, and is never
 * stored.
 */
@Injectable()
export class ConnectionService {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
    private readonly tasks: TaskRunner,
    private readonly reachFinder: ReachFinder,
    private readonly audit: AuditWriter,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async list(database: TenantDatabase): Promise<ConnectionResponse[]> {
    const rows = await this.#rows.find({
      where: { databaseId: database.id, revokedAt: IsNull() },
      order: { createdAt: 'ASC' },
      take: 1_000,
    });
    const server = await this.#serverOf(database);
    return rows.map((row) => toConnectionResponse(row, database, server));
  }

  /** Returns the certificate authority as PEM. */
  async readAuthority(database: TenantDatabase): Promise<string> {
    const { publicTls, publicCa } = await this.#serverOf(database);
    if (publicTls === 'required' && publicCa !== null) return publicCa;
    throw new AppError('resource.not_found', {
      detail:
        publicTls === 'off'
          ? 'This database accepts connections without TLS, from its own machine only.'
          : 'Systems already trust the CA of this certificate, so no file is needed.',
    });
  }

  /** Creates a connection. The account exists on the server before the connection string is returned. */
  async create(context: RequestContext, body: CreateConnectionRequest): Promise<CreatedConnectionResponse> {
    const { database } = context;
    if (database.provisionState !== 'ready') throw new AppError('db.provisioning', { retryAfterSeconds: 2 });
    const expiresAt = readExpiry(body.expires_at, this.db.nowMs());
    const server = await this.#serverOf(database);
    if (body.role === 'owner') this.#assertOwnersConnect(server);
    const row = Object.assign(new ConnectionUser(), {
      id: createId('con'),
      cellId: this.db.cellId,
      databaseId: database.id,
      name: body.name,
      role: body.role,
      userName: `u${randomBase32(USER_NAME_RANDOM_LENGTH)}`,
      requiresTls: server.publicTls === 'required',
      createdBy: context.accountId,
      createdAt: new Date(),
      expiresAt,
      revokedAt: null,
      previousUntil: null,
      knownBy: null,
    });
    const password = generatePassword();
    const taskId = await this.#insertAccount(context, row, password);
    try {
      await this.tasks.notify(taskId);
      await this.tasks.wait(taskId);
      // Creating an account takes time. The caller may have lost the role by now, or the project may have been
      // moved or deleted.
      if (!(await this.reachFinder.isAccessUnchanged(context))) throw changedConcurrently();
    } catch (error) {
      await this.#removeIncomplete(context, row);
      throw error;
    }
    const answer = toConnectionResponse(row, database, server);
    return { ...answer, password, connection_string: formatConnectionString({ ...answer, password }) };
  }

  #assertOwnersConnect({ organizationId }: ServerRow): void {
    const { ownerConnections } = this.config;
    if (ownerConnections === 'on' || (ownerConnections === 'dedicated' && organizationId !== null)) return;
    throw new AppError(
      'auth.owner_connections_off',
      ownerConnections === 'off'
        ? {}
        : { detail: 'Connections with the role owner are only available on a dedicated database server.' },
    );
  }

  /** Removes an account whose password was not returned to the caller. Never throws. */
  async #removeIncomplete(context: RequestContext, row: ConnectionUser): Promise<void> {
    const { id, name } = row;
    const event = { action: 'connection.revoke', target: id, detail: { name, is_incomplete: true } } as const;
    await this.end(row, context.database.projectId, (manager) =>
      this.audit.record(manager, context, event),
    ).catch((error: unknown) =>
      this.logger.error({ connection: id, err: error }, 'an incomplete connection could not be removed'),
    );
  }

  /** Stores the connection and the task that creates its account. Returns the task's id. */
  async #insertAccount(context: RequestContext, row: ConnectionUser, password: string): Promise<string> {
    const { database } = context;
    const payload = {
      connection_id: row.id,
      database_id: database.id,
      role: row.role,
      user_name: row.userName,
      password_sealed: this.secrets.sealConnectionPassword(password, connectionSecretPurpose(row.id)),
      require_tls: row.requiresTls,
    };
    return this.db.cellTransaction(async (manager) => {
      await this.#assertCapacity(manager, database.id);
      await manager.getRepository(ConnectionUser).insert({ ...row });
      await this.audit.record(manager, context, {
        action: 'connection.create',
        target: row.id,
        detail: { name: row.name, role: row.role },
      });
      return this.tasks.insert(manager, 'create_connection', payload, {
        databaseId: database.id,
        projectId: database.projectId,
      });
    });
  }

  /** The row is locked, so that concurrent requests count each other's connections. */
  async #assertCapacity(manager: EntityManager, databaseId: string): Promise<void> {
    await lockDatabase(manager, databaseId);
    const [found] = await manager.query<{ n: number | string }[]>(
      'SELECT COUNT(*) AS n FROM connection_user WHERE cell_id = ? AND database_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > UTC_TIMESTAMP(3))',
      [this.db.cellId, databaseId],
    );
    if (Number(found?.n ?? 0) < CONNECTION_USERS_MAX) return;
    throw new AppError('resource.conflict', {
      detail: `A database can have at most ${CONNECTION_USERS_MAX} active connection users.`,
      hint: 'Revoke one you no longer need. Each can have 20 sessions.',
    });
  }

  /**
   * Sets a new password. The previous password stays valid for `overlap_seconds`, and sessions stay open.
   * With 0, the previous password and the sessions end immediately. The end time is stored before the server
   * is changed, so that the overlap of an interrupted rotation also ends.
   */
  async rotate(context: RequestContext, body: RotateConnectionRequest): Promise<CreatedConnectionResponse> {
    const { connection, database } = context;
    const now = this.db.nowMs();
    assertLive(connection, now);
    const server = await this.#serverOf(database);
    const password = generatePassword();
    const previousUntil = body.overlap_seconds === 0 ? null : new Date(now + body.overlap_seconds * 1_000);
    const payload = {
      connection_id: connection.id,
      database_id: database.id,
      user_name: connection.userName,
      keep_previous: previousUntil !== null,
      password_sealed: this.secrets.sealConnectionPassword(password, connectionSecretPurpose(connection.id)),
    };
    // With an overlap, users who know the previous password may keep a session that they opened with it.
    const knownBy =
      previousUntil === null ? null : [...new Set([...(connection.knownBy ?? []), connection.createdBy])];
    await this.#changeRotated(
      context,
      { createdBy: context.accountId, knownBy },
      { overlap_seconds: body.overlap_seconds },
      async () => ({ previousUntil }),
    );
    let taskId: string | null = null;
    let mayBeRotated = false;
    try {
      taskId = await this.tasks.enqueue('rotate_connection', payload, {
        databaseId: database.id,
        projectId: database.projectId,
      });
      await this.tasks.wait<'rotate_connection'>(taskId).catch((error: unknown) => {
        mayBeRotated = error instanceof AppError && error.code === 'db.timeout';
        throw error;
      });
      mayBeRotated = true;
      if (!(await this.reachFinder.isAccessUnchanged(context))) throw changedConcurrently();
    } catch (error) {
      // The caller never receives the new password. If the server has it or may still get it, the known
      // password is the previous one there. If the overlap has no end, the known password stays valid.
      const { createdBy, knownBy: knownBefore } = connection;
      await this.#changeRotated(
        context,
        { createdBy, knownBy: knownBefore },
        { is_incomplete: true },
        async (manager) => ({
          previousUntil:
            mayBeRotated && !(taskId !== null && (await this.tasks.cancel(manager, taskId)))
              ? null
              : connection.previousUntil,
        }),
      );
      throw error;
    }
    const answer = toConnectionResponse(
      Object.assign(new ConnectionUser(), connection, { previousUntil }),
      database,
      server,
    );
    return { ...answer, password, connection_string: formatConnectionString({ ...answer, password }) };
  }

  async #changeRotated(
    context: RequestContext,
    patch: Pick<ConnectionUser, 'createdBy' | 'knownBy'>,
    detail: Readonly<Record<string, unknown>>,
    readOverlap: (manager: EntityManager) => Promise<Pick<ConnectionUser, 'previousUntil'>>,
  ): Promise<void> {
    const { id, name } = context.connection;
    await this.audit.changeCell(
      context,
      { action: 'connection.rotate', target: id, detail: { name, ...detail } },
      async (manager) => {
        const overlap = await readOverlap(manager);
        await updateRows(manager.getRepository(ConnectionUser), { id }, { ...patch, ...overlap });
      },
    );
  }

  /** Lets the worker sign in as a program would. A failed sign-in is a result, not an error. */
  async test(context: RequestContext, { password }: TestConnectionRequest): Promise<ConnectionTestResponse> {
    const { connection, database } = context;
    assertLive(connection, this.db.nowMs());
    const { host, port, tls, ca } = toConnectionResponse(
      connection,
      database,
      await this.#serverOf(database),
    );
    const password_sealed = this.secrets.sealConnectionPassword(
      password,
      connectionSecretPurpose(connection.id),
    );
    const { id: target, name } = connection;
    await this.audit.write(context, { action: 'connection.test', target, detail: { name } });
    return this.tasks.run(
      'test_connection',
      {
        connection_id: connection.id,
        database_id: database.id,
        user_name: connection.userName,
        password_sealed,
        host,
        port,
        tls,
        ca,
      },
      { databaseId: database.id, projectId: database.projectId },
    );
  }

  /**
   * Ends passwords whose overlap is over, oldest first, and clears each row. Throws at the end after
   * failures.
   */
  async endOverlaps(): Promise<string[]> {
    const due = await this.db.cell.query<
      { id: string; database_id: string; project_id: string; user_name: string }[]
    >(
      `SELECT c.id, c.database_id, d.project_id, c.user_name FROM connection_user c JOIN tenant_database d ON d.id = c.database_id
       WHERE c.cell_id = ? AND c.previous_until < UTC_TIMESTAMP(3) AND c.revoked_at IS NULL ORDER BY c.previous_until, c.id`,
      [this.db.cellId],
    );
    const ended = await forEachSettled(
      due,
      async ({ id, database_id: databaseId, project_id: projectId, user_name: userName }) => {
        await this.tasks.run(
          'end_rotation',
          { connection_id: id, database_id: databaseId, user_name: userName },
          { databaseId, projectId },
        );
        // The condition leaves the end of an overlap unchanged if a later rotation has set it.
        await this.db.cell.query(
          'UPDATE connection_user SET previous_until = NULL WHERE cell_id = ? AND id = ? AND previous_until < UTC_TIMESTAMP(3)',
          [this.db.cellId, id],
        );
      },
      (failed, total) => `${failed} of ${total} previous passwords could not be ended`,
    );
    return ended.map(({ id }) => id);
  }

  /**
   * Ends the account and its sessions. Waits at most five seconds for the worker; the task continues after
   * that.
   */
  async revoke(context: RequestContext): Promise<void> {
    const { connection, database } = context;
    if (connection.revokedAt !== null)
      throw new AppError('resource.not_found', { detail: 'The connection does not exist.' });
    const taskId = await this.end(connection, database.projectId, (manager) =>
      this.audit.record(manager, context, {
        action: 'connection.revoke',
        target: connection.id,
        detail: { name: connection.name },
      }),
    );
    await this.tasks.wait<'revoke_connection'>(taskId, REVOKE_DEADLINE_MS);
  }

  /**
   * Revokes the row and queues a task that removes the account from its server. `record` writes the audit
   * event in the same transaction. Returns the task's id.
   */
  async end(
    connection: ConnectionUser,
    projectId: string,
    record: (manager: EntityManager) => Promise<void> = async () => undefined,
  ): Promise<string> {
    const payload = {
      connection_id: connection.id,
      database_id: connection.databaseId,
      user_name: connection.userName,
    };
    const taskId = await this.db.cellTransaction(async (manager) => {
      await manager
        .getRepository(ConnectionUser)
        .update({ id: connection.id, revokedAt: IsNull() }, { revokedAt: new Date() });
      await record(manager);
      return this.tasks.insert(manager, 'revoke_connection', payload, {
        databaseId: connection.databaseId,
        projectId,
      });
    });
    await this.tasks.notify(taskId);
    return taskId;
  }

  /** Revokes several connections at once. The wait is as long as for a single connection. */
  async endAll(
    connections: readonly ConnectionUser[],
    projectOf: (connection: ConnectionUser) => string,
  ): Promise<void> {
    const taskIds = await Promise.all(
      connections.map((connection) => this.end(connection, projectOf(connection))),
    );
    // Tasks for a server that is unavailable stay queued, and the caller does not wait for them.
    await Promise.allSettled(
      taskIds.map((id) => this.tasks.wait<'revoke_connection'>(id, REVOKE_DEADLINE_MS)),
    );
  }

  /** Ends the previous passwords of rotated connections immediately, without waiting for their overlap. */
  async endOverlapsOf(databaseIds: readonly string[]): Promise<void> {
    if (databaseIds.length === 0) return;
    const now = new Date(this.db.nowMs());
    const live = { databaseId: In([...databaseIds]), revokedAt: IsNull() };
    await this.#rows.update({ ...live, previousUntil: MoreThan(now) }, { previousUntil: now });
    if (await this.#rows.existsBy({ ...live, previousUntil: Not(IsNull()) })) await this.endOverlaps();
  }

  async #serverOf(database: TenantDatabase): Promise<ServerRow> {
    return this.db.cell.getRepository(ServerRow).findOneByOrFail({ id: database.serverId });
  }

  get #rows() {
    return this.db.cell.getRepository(ConnectionUser);
  }
}
