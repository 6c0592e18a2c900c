import { Inject, Injectable } from '@nestjs/common';
import type {
  CreatedShareResponse,
  ShareResponse,
  SharePreviewResponse,
  ShareRequest,
} from '@rowhouse/contracts';
import { generateToken } from '@rowhouse/credentials';
import { AppError, validationError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { findDanglingKey, type Snapshot } from '@rowhouse/schema-model';
import { encodeSnapshot } from '@rowhouse/snapshot-store';
import { In, IsNull, MoreThan, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { changedConcurrently, ReachFinder } from '../../access/reach-finder.js';
import type { RequestContext } from '../../access/request-context.js';
import type { Config } from '../../config.js';
import { readExpiry, toIso } from '../../http/timestamps.js';
import { Project } from '../../platform-db/entities/project.js';
import { ShareLink } from '../../platform-db/entities/share-link.js';
import type { TransferFile } from '../../platform-db/entities/transfer-file.js';
import { insertRow } from '../../platform-db/typed-rows.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { Secrets } from '../../platform/secrets.js';
import { CONFIG } from '../../platform/tokens.js';
import { DeployService } from '../deploys/deploy-service.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';
import { WorkingSchemaStore } from '../schema/working-schema-store.js';
import { ExportService } from '../transfers/export-service.js';
import { readManifest } from '../transfers/transfer-responses.js';
import { TransferFiles } from '../transfers/transfer-files.js';
import { renderSchema } from '../schema/render-schema.js';

/** The maximum number of active links of a project. All of them can therefore be listed and revoked. */
const LINKS_MAX = 200;
/** The number of ended links shown, newest first. */
const ENDED_SHOWN_MAX = 200;

export interface FoundLink {
  readonly link: ShareLink;
  readonly file: TransferFile;
}

/**
 * Manages links that share a schema, optionally with data. A link shares the state at its creation, without
 * later changes of the project.
 */
@Injectable()
export class ShareService {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
    private readonly files: TransferFiles,
    private readonly exports: ExportService,
    private readonly deploys: DeployService,
    private readonly snapshots: SnapshotReader,
    private readonly schemas: WorkingSchemaStore,
    private readonly reachFinder: ReachFinder,
    private readonly audit: AuditWriter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async create(context: RequestContext, request: ShareRequest): Promise<CreatedShareResponse> {
    assertShareable(context, request);
    const withData = request.data === true;
    const expiresAt = readExpiry(request.expires_at, this.db.nowMs());
    await this.#assertCapacity(context.project.id);
    const { file, taskId } = withData
      ? await this.#copyData(context, request, expiresAt)
      : { file: await this.#copySchema(context, request, expiresAt), taskId: null };
    const token = generateToken('share');
    const link = {
      id: createId('shr'),
      cellId: this.db.cellId,
      projectId: context.project.id,
      fileId: file.id,
      tokenHash: this.secrets.hash(token),
      name: request.name ?? context.project.name,
      includesData: withData,
      clones: 0,
      createdBy: context.accountId,
      createdAt: new Date(),
      expiresAt,
    };
    await this.audit.changeCell(
      context,
      {
        action: 'share.create',
        target: link.id,
        detail: { data: withData, database: request.database ?? null, tables: request.tables ?? null },
      },
      (manager) => insertRow(manager.getRepository(ShareLink), link),
    );
    try {
      // The access is checked again, because reading the schema takes time.
      if (!(await this.reachFinder.isAccessUnchanged(context))) throw changedConcurrently();
      if (taskId !== null) await this.exports.waitAWhile(taskId);
    } catch (error) {
      await this.end(link, (manager) =>
        this.audit.record(manager, context, {
          action: 'share.revoke',
          target: link.id,
          detail: { is_incomplete: true },
        }),
      );
      throw error;
    }
    return {
      ...toResponse(
        await this.#rows.findOneByOrFail({ id: link.id }),
        await this.files.rows.findOneBy({ id: file.id }),
      ),
      token,
      url: `${this.config.publicUrl.replace(/\/$/, '')}/clone/${token}`,
    };
  }

  async list(projectId: string): Promise<ShareResponse[]> {
    const order = { createdAt: 'DESC', id: 'ASC' } as const;
    // All active links are listed, whatever the number of ended ones. Concurrent requests may slightly exceed
    // the limit.
    const live = await this.#rows.find({ where: this.#liveOf(projectId), order, take: 2 * LINKS_MAX });
    const newest = await this.#rows.find({ where: { projectId }, order, take: ENDED_SHOWN_MAX });
    const rows = [...new Map([...live, ...newest].map((row) => [row.id, row])).values()].sort(
      (shareLink, other) => other.createdAt.getTime() - shareLink.createdAt.getTime(),
    );
    const files = await this.files.rows.findBy({ id: In(rows.map((row) => row.fileId)) });
    const byId = new Map(files.map((file) => [file.id, file]));
    return rows.map((row) => toResponse(row, byId.get(row.fileId) ?? null));
  }

  async #assertCapacity(projectId: string): Promise<void> {
    if ((await this.#rows.countBy(this.#liveOf(projectId))) < LINKS_MAX) return;
    throw new AppError('resource.conflict', {
      detail: `A project can have at most ${LINKS_MAX} share links.`,
      hint: 'Revoke one you no longer need.',
    });
  }

  #liveOf(projectId: string): FindOptionsWhere<ShareLink>[] {
    const live = { projectId, revokedAt: IsNull() };
    return [
      { ...live, expiresAt: IsNull() },
      { ...live, expiresAt: MoreThan(new Date(this.db.nowMs())) },
    ];
  }

  async revoke(context: RequestContext, id: string): Promise<void> {
    const link = await this.#rows.findOneBy({ id, projectId: context.project.id });
    if (link === null) throw new AppError('resource.not_found', { detail: 'The share link does not exist.' });
    await this.end(link, (manager) =>
      this.audit.record(manager, context, { action: 'share.revoke', target: id }),
    );
  }

  /**
   * Returns what anyone with the token may see: the schema, table names and row counts, but nothing about the
   * project.
   */
  async preview(token: string): Promise<SharePreviewResponse> {
    const { link, file } = await this.find(token);
    const snapshot = await this.files.readSchema(file);
    return {
      name: link.name,
      data: link.includesData,
      tables: listTables(file, snapshot),
      sql: await renderSchema(snapshot),
      expires_at: toIso(link.expiresAt),
    };
  }

  /**
   * Returns the link of a token. Throws the same error for unknown and ended tokens, and for tokens whose
   * project is deleted.
   */
  async find(token: string): Promise<FoundLink> {
    const link = await this.#rows.findOneBy({ tokenHash: this.secrets.hash(token) });
    const isFinished =
      link === null ||
      link.revokedAt !== null ||
      (link.expiresAt !== null && link.expiresAt.getTime() <= this.db.nowMs());
    const project = isFinished
      ? null
      : await this.db.global.getRepository(Project).findOneBy({ id: link.projectId });
    if (isFinished || project === null || project.deletedAt !== null)
      throw new AppError('resource.not_found', { detail: 'The share link does not exist.' });
    return { link, file: await this.files.findReady(link.projectId, link.fileId) };
  }

  readSchema({ file }: FoundLink): Promise<Snapshot> {
    return this.files.readSchema(file);
  }

  async countClone(id: string): Promise<void> {
    await this.#rows.increment({ id }, 'clones', 1);
  }

  async #copyData(
    context: RequestContext,
    request: ShareRequest,
    expiresAt: Date | null,
  ): Promise<{ file: TransferFile; taskId: string }> {
    const [database] = await this.deploys.chooseTargets(context.project.id, [
      { database: request.database ?? '' },
    ]);
    if (database === undefined)
      throw new AppError('resource.not_found', { detail: 'The database does not exist.' });
    assertClonable(await this.snapshots.deployed(database));
    return this.exports.begin(context.accountId, database, {
      kind: 'share',
      tables: request.tables,
      leavesHiddenOut: true,
      expiresAt,
    });
  }

  async #copySchema(
    context: RequestContext,
    request: ShareRequest,
    expiresAt: Date | null,
  ): Promise<TransferFile> {
    const snapshot = await this.#chooseSchema(context.project.id, request.database);
    if (snapshot === null)
      throw new AppError('transfer.not_possible', { detail: 'There is no schema to share yet.' });
    assertClonable(snapshot);
    const { contentHash, body } = await encodeSnapshot(snapshot);
    const file = await this.files.insert({
      projectId: context.project.id,
      kind: 'share',
      databaseId: null,
      revision: null,
      createdBy: context.accountId,
      expiresAt,
    });
    await this.files.rows.update(
      { id: file.id },
      { state: 'ready', contentHash, schemaBody: body, bytes: body.length, finishedAt: new Date() },
    );
    return this.files.rows.findOneByOrFail({ id: file.id });
  }

  async #chooseSchema(projectId: string, database: string | undefined): Promise<Snapshot | null> {
    if (database === undefined) return (await this.schemas.newest(projectId)).snapshot;
    const [target] = await this.deploys.chooseTargets(projectId, [{ database }]);
    return target === undefined ? null : this.snapshots.deployed(target);
  }

  /** Revokes the link and expires its file. `record` writes the audit event of the revocation. */
  async end(
    { id: linkId, fileId }: Pick<ShareLink, 'id' | 'fileId'>,
    record: (manager: EntityManager) => Promise<void> = async () => undefined,
  ): Promise<void> {
    await this.db.cellTransaction(async (manager) => {
      await manager.query(
        'UPDATE share_link SET revoked_at = COALESCE(revoked_at, UTC_TIMESTAMP(3)) WHERE id = ? AND cell_id = ?',
        [linkId, this.db.cellId],
      );
      await record(manager);
    });
    await this.files.end(fileId);
  }

  get #rows() {
    return this.db.cell.getRepository(ShareLink);
  }
}

/** Converts a share link to its response. `file` is null if the file no longer exists. */
function toResponse(row: ShareLink, file: TransferFile | null): ShareResponse {
  return {
    id: row.id,
    name: row.name,
    data: row.includesData,
    state: file?.state ?? 'failed',
    tables: file === null ? [] : readManifest(file).tables.map(({ name, rows }) => ({ name, rows })),
    clones: row.clones,
    created_at: row.createdAt.toISOString(),
    expires_at: toIso(row.expiresAt),
    revoked_at: toIso(row.revokedAt),
  };
}

function listTables(file: TransferFile, snapshot: Snapshot): { name: string; rows: number }[] {
  const rows = new Map(readManifest(file).tables.map((table) => [table.name, table.rows]));
  return snapshot.tables
    .filter((table) => table.kind === 'table')
    .map((table) => ({ name: table.name, rows: rows.get(table.name) ?? 0 }));
}

/** Throws for a schema that no server accepts while key checks are on, because a clone of it fails. */
function assertClonable(snapshot: Snapshot | null): void {
  const found = snapshot === null ? null : findDanglingKey(snapshot.tables);
  if (found === null) return;
  const { table, key } = found;
  throw new AppError('schema.not_possible', {
    detail: `The foreign key ${key.name} of ${table} references ${key.referencedTable}, which lacks its columns.`,
    hint: `Drop the key, or create ${key.referencedTable} (${key.referencedColumns.join(', ')}).`,
  });
}

/** Throws unless the caller may share what the request names. */
function assertShareable(context: RequestContext, request: ShareRequest): void {
  const withData = request.data === true;
  if (withData && context.reach.role !== 'owner')
    throw new AppError('auth.role', {
      detail: `Sharing data requires the role owner. Your role is ${context.reach.role}.`,
    });
  if (request.tables !== undefined && !withData)
    throw validationError('body.invalid', [
      {
        loc: ['body', 'tables'],
        msg: 'To share the rows of tables, also send data: true.',
        type: 'value_error',
      },
    ]);
  if (withData && request.database === undefined)
    throw validationError('body.invalid', [
      {
        loc: ['body', 'database'],
        msg: 'Name the database whose rows you want to share.',
        type: 'missing',
      },
    ]);
}
