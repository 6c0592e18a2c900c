import { Inject, Injectable } from '@nestjs/common';
import {
  databaseRecordKey,
  type LanguageModelResponse,
  type PutLanguageModelRequest,
} from '@rowhouse/contracts';
import { AppError, validationError } from '@rowhouse/errors';
import { createModelClient, findAddressFault, type ModelClient } from '@rowhouse/language-model';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import type { Config } from '../../config.js';
import { ProjectModel } from '../../platform-db/entities/project-model.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { ChangeLog } from '../../platform/change-log.js';
import { Secrets } from '../../platform/secrets.js';
import { CONFIG } from '../../platform/tokens.js';

/**
 * Manages the language model of a project. Gateways receive a change of it like a changed setting of each of
 * the project's databases.
 */
@Injectable()
export class LanguageModelService {
  /** The model of the installation. Null when none is configured. */
  readonly #shared: ModelClient | null;
  readonly #own = new Map<string, { readonly version: number; readonly client: ModelClient }>();

  constructor(
    private readonly db: PlatformDb,
    private readonly changes: ChangeLog,
    private readonly secrets: Secrets,
    private readonly audit: AuditWriter,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.#shared = config.languageModel === null ? null : createModelClient(config.languageModel);
  }

  async find(projectId: string): Promise<LanguageModelResponse> {
    const row = await this.#read(projectId);
    if (row === null)
      return {
        source: this.#shared === null ? 'none' : 'installation',
        base_url: null,
        model: null,
        has_key: false,
        updated_at: null,
      };
    return {
      source: 'project',
      base_url: row.baseUrl,
      model: row.model,
      has_key: row.keySealed !== null,
      updated_at: row.updatedAt.toISOString(),
    };
  }

  /**
   * An existing API key is bound to its address. Another address could read the key if it were sent there.
   */
  async put(context: RequestContext, body: PutLanguageModelRequest): Promise<LanguageModelResponse> {
    const projectId = context.project.id;
    const fault = findAddressFault(body.base_url, {
      allowsPrivate: this.config.allowsPrivateModels,
      ports: this.config.modelPorts,
    });
    if (fault !== null)
      throw validationError('body.invalid', [{ loc: ['body', 'base_url'], msg: fault, type: 'value_error' }]);
    const before = await this.#read(projectId);
    const { origin } = new URL(body.base_url);
    const keySealed = this.#chooseKey(projectId, body, before, origin);
    await this.#record(projectId, async (manager) => {
      await manager.getRepository(ProjectModel).save({
        projectId,
        cellId: this.db.cellId,
        baseUrl: body.base_url,
        model: body.model,
        keySealed,
        version: Math.max(Date.now(), (before?.version ?? 0) + 1),
        updatedBy: context.accountId,
        updatedAt: new Date(),
      });
      await this.audit.record(manager, context, {
        action: 'language_model.set',
        target: projectId,
        detail: {
          base_url: body.base_url,
          model: body.model,
          has_key: keySealed !== null,
          is_key_new: typeof body.api_key === 'string',
        },
      });
    });
    return this.find(projectId);
  }

  async remove(context: RequestContext): Promise<void> {
    const projectId = context.project.id;
    const before = await this.#read(projectId);
    if (before === null)
      throw new AppError('resource.not_found', {
        detail: 'This project does not have its own language model.',
      });
    await this.#record(projectId, async (manager) => {
      await manager.getRepository(ProjectModel).delete({ projectId });
      await this.audit.record(manager, context, {
        action: 'language_model.remove',
        target: projectId,
        detail: { base_url: before.baseUrl, model: before.model },
      });
    });
  }

  /** Returns the model client of this project, or null when none is configured. */
  async clientOf(projectId: string): Promise<ModelClient | null> {
    const row = await this.#read(projectId);
    if (row === null) return this.#shared;
    const known = this.#own.get(projectId);
    if (known?.version === row.version) return known.client;
    const apiKey =
      row.keySealed === null
        ? null
        : this.secrets.openModelKey(row.keySealed, projectId, new URL(row.baseUrl).origin);
    const client = createModelClient({
      baseUrl: row.baseUrl,
      apiKey,
      model: row.model,
      owner: 'project',
      isPublicOnly: !this.config.allowsPrivateModels,
    });
    if (this.#own.size >= CLIENTS_MAX) this.#own.clear();
    this.#own.set(projectId, { version: row.version, client });
    return client;
  }

  #chooseKey(
    projectId: string,
    body: PutLanguageModelRequest,
    before: ProjectModel | null,
    origin: string,
  ): Buffer | null {
    if (typeof body.api_key === 'string') return this.secrets.sealModelKey(body.api_key, projectId, origin);
    if (body.api_key === null || before === null || before.keySealed === null) return null;
    if (new URL(before.baseUrl).origin === origin) return before.keySealed;
    throw validationError('body.invalid', [
      {
        loc: ['body', 'api_key'],
        msg: 'The stored key belongs to the previous URL. Send the key for this URL, or null.',
        type: 'missing',
      },
    ]);
  }

  #read(projectId: string): Promise<ProjectModel | null> {
    return this.db.cell.getRepository(ProjectModel).findOneBy({ projectId, cellId: this.db.cellId });
  }

  #record(projectId: string, change: (manager: EntityManager) => Promise<unknown>): Promise<void> {
    const { cellId } = this.db;
    return this.changes.recordOfProject(
      projectId,
      'settings',
      async (manager) => {
        await change(manager);
        await manager.query(
          'UPDATE tenant_database SET version = version + 1 WHERE project_id = ? AND cell_id = ? AND deleted_at IS NULL',
          [projectId, cellId],
        );
      },
      (databaseId) => [databaseRecordKey(cellId, databaseId)],
    );
  }
}

const CLIENTS_MAX = 500;
