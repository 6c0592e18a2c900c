import { Injectable } from '@nestjs/common';
import type {
  ListResponse,
  RestoreSchemaRequest,
  RevisionItem,
  WorkingSchemaResponse,
} from '@rowhouse/contracts';
import type { RenameHint } from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import { In } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { Account } from '../../platform-db/entities/account.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { DatabaseService } from '../databases/database-service.js';
import { DeployService } from '../deploys/deploy-service.js';
import { DeployedRevisions } from '../deploys/deployed-revisions.js';
import { renameText, SchemaService } from './schema-service.js';
import { WorkingSchemaStore } from './working-schema-store.js';

/** Lists the revisions of the working schema and restores earlier ones. Nothing is deployed. */
@Injectable()
export class RevisionService {
  constructor(
    private readonly db: PlatformDb,
    private readonly schemas: WorkingSchemaStore,
    private readonly service: SchemaService,
    private readonly databases: DatabaseService,
    private readonly deploys: DeployService,
    private readonly deployed: DeployedRevisions,
  ) {}

  /** Lists revisions, newest first. The cursor is the number of the last entry. */
  async list(
    projectId: string,
    page: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<ListResponse<RevisionItem>> {
    const before =
      page.cursor === undefined ? {} : { before: /^\d{1,9}$/.test(page.cursor) ? Number(page.cursor) : 0 };
    const { rows, isLast } = await this.schemas.listPage(projectId, { limit: page.limit, ...before });
    const ids = [...new Set(rows.map((row) => row.createdBy))];
    const accounts =
      ids.length === 0
        ? []
        : await this.db.global
            .getRepository(Account)
            .find({ where: { id: In(ids) }, select: { id: true, name: true, email: true } });
    const names = new Map(
      accounts.map((account) => [account.id, account.name === '' ? account.email : account.name]),
    );
    const environments = await this.#listDeployed(projectId);
    const items = rows.map((row): RevisionItem => ({
      revision: row.revision,
      created_at: row.createdAt.toISOString(),
      by: row.createdBy === '' ? null : { id: row.createdBy, name: names.get(row.createdBy) ?? '' },
      statements: `${row.renames === null ? '' : renameText(JSON.parse(row.renames) as RenameHint[])}${row.statements}`,
      restores: row.restores,
      deployed_to: environments.get(row.revision) ?? [],
    }));
    return { items, next_cursor: isLast ? null : String(rows.at(-1)?.revision) };
  }

  async show(context: RequestContext, text: string): Promise<WorkingSchemaResponse> {
    if (!/^\d{1,9}$/.test(text))
      throw new AppError('resource.not_found', { detail: 'The revision must be a number.' });
    return this.service.describe(
      context.project.id,
      context.project.name,
      await this.schemas.find(context.project.id, Number(text)),
    );
  }

  /** Restores an earlier revision. A restore creates a new revision, so it can be undone too. */
  async restore(context: RequestContext, request: RestoreSchemaRequest): Promise<WorkingSchemaResponse> {
    const { id: projectId } = context.project;
    const newest = await this.schemas.newestOn(projectId, request.base_revision);
    const revision = request.revision ?? (await this.#revisionOf(projectId, request.database ?? ''));
    return this.service.putBack(context, newest, await this.schemas.find(projectId, revision));
  }

  async #revisionOf(projectId: string, database: string): Promise<number> {
    const [target] = await this.deploys.chooseTargets(projectId, [{ database }]);
    return (target === undefined ? null : await this.deployed.find(target.id)) ?? 0;
  }

  async #listDeployed(projectId: string): Promise<Map<number, string[]>> {
    const found = new Map<number, string[]>();
    for (const database of await this.databases.listOf(projectId)) {
      const revision = await this.deployed.find(database.id);
      if (revision !== null) found.set(revision, [...(found.get(revision) ?? []), database.environment]);
    }
    return found;
  }
}
