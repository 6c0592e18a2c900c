import { Injectable } from '@nestjs/common';
import { DAY_MS } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { RenameHint } from '@rowhouse/ddl-plan';
import type { Snapshot } from '@rowhouse/schema-model';
import { readRevisions } from '@rowhouse/snapshot-store';
import { And, In, LessThan, LessThanOrEqual, MoreThan, type EntityManager } from 'typeorm';
import { WorkingSchema } from '../../platform-db/entities/working-schema.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { listProjectsOfCreator } from '../projects/projects-of-creator.js';
import { readPage, type PageOfRows } from '../../platform/read-page.js';
import type { RevisionLink } from './undo-path.js';

/**
 * A revision of a draft. Revision 0 is the empty schema that every project starts with. Revision 0 has no
 * row.
 */
export interface Revision {
  readonly revision: number;
  readonly snapshot: Snapshot | null;
  readonly createdAt: Date | null;
  /** The earlier revision that this one restores. */
  readonly restores: number | null;
}

const NONE: Revision = { revision: 0, snapshot: null, createdAt: null, restores: null };

/** The number of revisions per account and day, times the size of a new one in characters. */
const REVISION_BYTES_PER_DAY = 1024 ** 3;

/** Stores the revisions of working schemas. */
@Injectable()
export class WorkingSchemaStore {
  constructor(private readonly db: PlatformDb) {}

  async newest(projectId: string): Promise<Revision> {
    const row = await this.#rows.findOne({ where: { projectId }, order: { revision: 'DESC' } });
    return row === null ? NONE : toRevision(row);
  }

  /** Returns the newest revision. Throws `schema.stale_base` when the caller's `base` is an older one. */
  async newestOn(projectId: string, base: number | undefined): Promise<Revision> {
    const newest = await this.newest(projectId);
    if (base !== undefined && base !== newest.revision) throw staleRevision(newest.revision);
    return newest;
  }

  /** Returns the number of the newest revision, or 0 before the first. */
  async newestNumber(projectId: string): Promise<number> {
    const row = await this.#rows.findOne({
      where: { projectId },
      order: { revision: 'DESC' },
      select: { projectId: true, revision: true },
    });
    return row?.revision ?? 0;
  }

  async find(projectId: string, revision: number): Promise<Revision> {
    if (revision === 0) return NONE;
    const row = await this.#rows.findOneBy({ projectId, revision });
    if (row === null)
      throw new AppError('resource.not_found', {
        detail: `This schema has no revision ${revision}.`,
      });
    return toRevision(row);
  }

  /** Reads the schemas of revisions after this one, like `readRevisions`. */
  readNewer(projectId: string, after: number): AsyncGenerator<Snapshot, void, void> {
    return readRevisions((before) =>
      this.#rows.findOne({
        where: { projectId, revision: And(MoreThan(after), LessThan(before)) },
        order: { revision: 'DESC' },
      }),
    );
  }

  /** Lists the revisions up to this one without their schemas, oldest first. */
  async listLinks(projectId: string, through: number): Promise<RevisionLink[]> {
    return this.#rows.find({
      where: { projectId, revision: LessThanOrEqual(through) },
      order: { revision: 'ASC' },
      select: { revision: true, restores: true },
    });
  }

  /**
   * Lists revisions without their schemas, newest first. The page ends when its statements exceed the size
   * limit.
   */
  async listPage(
    projectId: string,
    page: { readonly limit: number; readonly before?: number },
  ): Promise<PageOfRows<Omit<WorkingSchema, 'snapshot'>>> {
    const query = this.#rows
      .createQueryBuilder('w')
      .select([
        'w.projectId',
        'w.revision',
        'w.statements',
        'w.restores',
        'w.renames',
        'w.createdBy',
        'w.createdAt',
      ])
      .where('w.projectId = :projectId', { projectId })
      .orderBy('w.revision', 'DESC');
    if (page.before !== undefined) query.andWhere('w.revision < :before', { before: page.before });
    return readPage(query, 'w.statements', page.limit);
  }

  /**
   * Adds the revision after `base`. Throws `schema.stale_base` when a concurrent request has added another
   * one.
   */
  async add(manager: EntityManager, draft: NewRevision): Promise<number> {
    const revision = draft.base + 1;
    const snapshot = JSON.stringify(draft.snapshot);
    await this.assertSpace(draft.projectId, snapshot.length + draft.statements.length);
    const newest = await manager.query<{ revision: number }[]>(
      'SELECT MAX(revision) AS revision FROM working_schema WHERE project_id = ? FOR UPDATE',
      [draft.projectId],
    );
    if (Number(newest[0]?.revision ?? 0) !== draft.base)
      throw staleRevision(Number(newest[0]?.revision ?? 0));
    try {
      await manager.getRepository(WorkingSchema).insert({
        projectId: draft.projectId,
        revision,
        cellId: this.db.cellId,
        snapshot,
        statements: draft.statements,
        restores: draft.restores ?? null,
        mode: draft.mode ?? null,
        renames: (draft.renames ?? []).length === 0 ? null : JSON.stringify(draft.renames),
        createdBy: draft.createdBy,
        createdAt: new Date(),
      });
    } catch (error) {
      if ((error as { code?: string }).code === 'ER_DUP_ENTRY') throw staleRevision(revision);
      throw error;
    }
    return revision;
  }

  /**
   * Throws `limit.rate` when the projects of one account got too many revisions of this size within a day.
   * Revisions are stored in the platform database as a whole and stay there, and restoring one takes little
   * time, so without this limit an account could fill its disk.
   */
  async assertSpace(projectId: string, bytes: number): Promise<void> {
    const count = await this.#rows.countBy({
      projectId: In(await listProjectsOfCreator(this.db, projectId)),
      createdAt: MoreThan(new Date(this.db.nowMs() - DAY_MS)),
    });
    if (count * bytes < REVISION_BYTES_PER_DAY) return;
    throw new AppError('limit.rate', {
      retryAfterSeconds: 3_600,
      detail: `An account can change schemas of this size ${Math.floor(REVISION_BYTES_PER_DAY / bytes)} times a day.`,
      hint: 'Combine several changes into one request.',
    });
  }

  get #rows() {
    return this.db.cell.getRepository(WorkingSchema);
  }
}

export interface NewRevision {
  readonly projectId: string;
  readonly base: number;
  readonly snapshot: Snapshot;
  readonly statements: string;
  readonly restores?: number;
  /** How the text is interpreted. Undefined without a text. */
  readonly mode?: 'replace' | 'apply';
  /** The renames that the author declares in addition to the text. */
  readonly renames?: readonly RenameHint[];
  readonly createdBy: string;
}

export function staleRevision(newest: number): AppError {
  return new AppError('schema.stale_base', {
    detail: 'The working schema has changed since you read it.',
    hint: `Its newest revision is ${newest}.`,
    extra: { revision: newest },
  });
}

function toRevision(row: WorkingSchema): Revision {
  return {
    revision: row.revision,
    snapshot: JSON.parse(row.snapshot) as Snapshot,
    createdAt: row.createdAt,
    restores: row.restores,
  };
}
