import { Injectable } from '@nestjs/common';
import type { CreateServerRequest, ServerNode, UpdateServerRequest } from '@rowhouse/contracts';
import { AppError, validationError } from '@rowhouse/errors';
import { In, IsNull, Not } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { Organization } from '../../platform-db/entities/organization.js';
import { Project } from '../../platform-db/entities/project.js';
import { ServerRow } from '../../platform-db/entities/server-row.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { Secrets } from '../../platform/secrets.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { registerServer } from './server-registry.js';

export interface DatabaseServerResponse {
  id: string;
  name: string;
  host: string;
  port: number;
  admin_port: number | null;
  nodes: readonly ServerNode[];
  public_host: string;
  public_port: number;
  tls: 'off' | 'required';
  public_tls: 'off' | 'required';
  engine: string;
  engine_version: string;
  state: 'active' | 'draining';
  is_probed: boolean;
  /** Recommended settings for the server. */
  advice: readonly string[];
  databases: number;
  databases_max: number;
  storage_bytes_max: number | null;
  direct_connections_max: number | null;
  /** The organization that the server is dedicated to; null for a shared server. */
  organization: string | null;
  created_at: string;
}

/** Manages database servers for operators. */
@Injectable()
export class ServerService {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
    private readonly tasks: TaskRunner,
    private readonly audit: AuditWriter,
  ) {}

  async list(): Promise<DatabaseServerResponse[]> {
    const rows = await this.#rows.find({ where: { cellId: this.db.cellId }, order: { createdAt: 'ASC' } });
    return Promise.all(rows.map((row) => this.#toResponse(row)));
  }

  /**
   * Registers a server. Responds with 201 once the worker has reached the server. On failure, returns the
   * error and retains the row for correction.
   */
  async register(context: RequestContext, body: CreateServerRequest): Promise<DatabaseServerResponse> {
    const { server, taskId } = await registerServer(
      { db: this.db, secrets: this.secrets, tasks: this.tasks },
      body,
      (manager, id) =>
        this.audit.record(manager, context, {
          action: 'server.register',
          target: id,
          detail: { name: body.name, host: body.host },
        }),
    );
    await this.tasks.wait<'probe_server'>(taskId);
    return this.#toResponse(await this.#find(server.id));
  }

  async get(id: string): Promise<DatabaseServerResponse> {
    return this.#toResponse(await this.#find(id));
  }

  /** Updates a server. Existing databases stay on the server, even if they exceed the new limit. */
  async update(
    context: RequestContext,
    id: string,
    body: UpdateServerRequest,
  ): Promise<DatabaseServerResponse> {
    await this.#find(id);
    if (typeof body.organization === 'string') await this.#assertDedicable(id, body.organization);
    const requested = {
      databasesMax: body.databases_max,
      storageBytesMax: body.storage_bytes_max,
      directConnectionsMax: body.direct_connections_max,
      state: body.state,
      organizationId: body.organization,
      adminPort: body.admin_port,
    };
    const patch = Object.fromEntries(Object.entries(requested).filter(([, value]) => value !== undefined));
    await this.audit.changeCell(
      context,
      { action: 'server.update', target: id, detail: body },
      async (manager) => {
        if (Object.keys(patch).length > 0)
          await manager.getRepository(ServerRow).update({ id, cellId: this.db.cellId }, patch);
      },
    );
    return this.get(id);
  }

  /**
   * Probes a server. A failed probe is returned as an error, and the known data of the server is not changed.
   */
  async probe(context: RequestContext, id: string): Promise<DatabaseServerResponse> {
    await this.#find(id);
    await this.audit.write(context, { action: 'server.probe', target: id });
    await this.tasks.run('probe_server', { server_id: id }, {});
    return this.get(id);
  }

  drain(context: RequestContext, id: string): Promise<DatabaseServerResponse> {
    return this.update(context, id, { state: 'draining' });
  }

  /** A server with databases of other organizations cannot be dedicated. */
  async #assertDedicable(id: string, organizationId: string): Promise<void> {
    if (!(await this.db.global.getRepository(Organization).existsBy({ id: organizationId }))) {
      throw validationError('body.invalid', [
        { loc: ['body', 'organization'], msg: 'The organization does not exist.', type: 'value_error' },
      ]);
    }
    const projects = await this.db.cell
      .getRepository(TenantDatabase)
      .find({ select: { projectId: true }, where: { serverId: id, deletedAt: IsNull() } });
    const ids = [...new Set(projects.map(({ projectId }) => projectId))];
    const others =
      ids.length === 0
        ? 0
        : await this.db.global
            .getRepository(Project)
            .countBy({ id: In(ids), organizationId: Not(organizationId) });
    if (others > 0)
      throw new AppError('resource.conflict', {
        detail: `${others} projects of other organizations have databases on this server.`,
        hint: 'Move them to another server first: POST /api/admin/databases/{id}/move.',
      });
  }

  async #find(id: string): Promise<ServerRow> {
    const server = await this.#rows.findOneBy({ id, cellId: this.db.cellId });
    if (server === null) throw new AppError('resource.not_found', { detail: 'The server does not exist.' });
    return server;
  }

  async #toResponse(row: ServerRow): Promise<DatabaseServerResponse> {
    const databases = await this.db.cell
      .getRepository(TenantDatabase)
      .countBy({ serverId: row.id, deletedAt: IsNull() });
    return {
      id: row.id,
      name: row.name,
      host: row.host,
      port: row.port,
      admin_port: row.adminPort,
      nodes: row.nodes ?? [],
      public_host: row.publicHost,
      public_port: row.publicPort,
      tls: row.tls,
      public_tls: row.publicTls,
      engine: row.engine,
      engine_version: row.engineVersion,
      state: row.state,
      is_probed: row.capabilities !== null,
      advice: row.capabilities?.advice ?? [],
      databases,
      databases_max: row.databasesMax,
      storage_bytes_max: row.storageBytesMax,
      direct_connections_max: row.directConnectionsMax,
      organization: row.organizationId,
      created_at: row.createdAt.toISOString(),
    };
  }

  get #rows() {
    return this.db.cell.getRepository(ServerRow);
  }
}
