import { Inject, Injectable } from '@nestjs/common';
import type { EngineItem } from '@rowhouse/contracts';
import type { EngineKind } from '@rowhouse/schema-model';
import { In } from 'typeorm';
import type { Config } from '../../config.js';
import { ServerRow } from '../../platform-db/entities/server-row.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { CONFIG } from '../../platform/tokens.js';
import { chooseServers, type ServerCandidate } from './choose-servers.js';

/** The engine of a server and its version, as the server reports it. */
export interface ServerEngine {
  readonly kind: EngineKind;
  readonly version: string;
}

export interface PlacementInput {
  readonly databases: number;
  readonly organizationId: string;
  /** The project that the databases are for; undefined before sign-up. */
  readonly projectId?: string;
  /** The engine that the caller requested. */
  readonly engine?: EngineKind | undefined;
  /** The engine to use if the caller requested none, such as the engine of the database that is copied. */
  readonly preferred?: EngineKind | undefined;
}

interface CandidateRow {
  readonly id: string;
  readonly engine: EngineKind;
  readonly engine_version: string;
  readonly is_probed: number | string;
  readonly databases_max: number;
  readonly n: number | string;
}

/** Chooses the servers of new databases, by engine and by the number of databases on each server. */
@Injectable()
export class DatabasePlacement {
  constructor(
    private readonly db: PlatformDb,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists the servers to try, in order. Throws if no server runs the requested engine, or none has capacity. */
  async listServers({
    databases,
    organizationId,
    projectId,
    engine,
    preferred,
  }: PlacementInput): Promise<string[]> {
    const rows = await this.#listCandidates(organizationId);
    const implied =
      preferred ??
      (projectId === undefined || engine !== undefined ? null : await this.#readProjectEngine(projectId));
    return chooseServers(rows.map(toCandidate), databases, {
      asked: engine,
      preferred: implied ?? this.config.defaultEngine,
    });
  }

  /** Lists the engines that new databases of an organization can have. */
  async listEngines(organizationId: string): Promise<EngineItem[]> {
    const versions = new Map<EngineKind, Set<string>>();
    for (const row of await this.#listCandidates(organizationId)) {
      if (Number(row.is_probed) === 1)
        versions.set(row.engine, (versions.get(row.engine) ?? new Set()).add(row.engine_version));
    }
    const first = versions.has(this.config.defaultEngine)
      ? this.config.defaultEngine
      : [...versions.keys()][0];
    return [...versions]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([engine, found]) => ({ engine, versions: [...found].sort(), is_default: engine === first }));
  }

  /** Returns the engines of servers by server id. Omits servers that no worker has reached yet. */
  async readEngines(serverIds: readonly string[]): Promise<Map<string, ServerEngine>> {
    const ids = [...new Set(serverIds)];
    if (ids.length === 0) return new Map();
    const rows = await this.db.cell.getRepository(ServerRow).find({
      select: { id: true, engine: true, engineVersion: true },
      where: { id: In(ids), cellId: this.db.cellId },
    });
    return new Map(
      rows
        .filter((row) => row.engineVersion !== '')
        .map((row) => [row.id, { kind: row.engine, version: row.engineVersion }]),
    );
  }

  /** Returns the engine of a database, deleted ones included; undefined if it is not known. */
  async readEngineOf(databaseId: string | null): Promise<EngineKind | undefined> {
    const row = await this.db.cell
      .getRepository(TenantDatabase)
      .findOne({ select: { id: true, serverId: true }, where: { id: databaseId ?? '' } });
    return row === null ? undefined : (await this.readEngines([row.serverId])).get(row.serverId)?.kind;
  }

  /**
   * Lists candidates. An organization with dedicated servers uses only those, and no other organization uses
   * them.
   */
  #listCandidates(organizationId: string): Promise<CandidateRow[]> {
    return this.db.cell.query<CandidateRow[]>(
      `SELECT s.id, s.engine, s.engine_version, s.capabilities IS NOT NULL AS is_probed, s.databases_max, COUNT(d.id) AS n
       FROM server s LEFT JOIN tenant_database d ON d.server_id = s.id AND d.deleted_at IS NULL
       WHERE s.cell_id = ? AND s.state = 'active' AND (s.organization_id = ? OR (s.organization_id IS NULL
         AND NOT EXISTS (SELECT 1 FROM server o WHERE o.cell_id = s.cell_id AND o.organization_id = ?)))
       GROUP BY s.id, s.engine, s.engine_version, is_probed, s.databases_max`,
      [this.db.cellId, organizationId, organizationId],
    );
  }

  /** Returns the engine of the project's oldest database; null if it has none. */
  async #readProjectEngine(projectId: string): Promise<EngineKind | null> {
    const [row] = await this.db.cell.query<{ engine: EngineKind }[]>(
      `SELECT s.engine FROM tenant_database d JOIN server s ON s.id = d.server_id
       WHERE d.project_id = ? AND d.deleted_at IS NULL AND s.engine_version <> '' ORDER BY d.created_at, d.environment LIMIT 1`,
      [projectId],
    );
    return row?.engine ?? null;
  }
}

function toCandidate(row: CandidateRow): ServerCandidate {
  return {
    id: row.id,
    engine: Number(row.is_probed) === 1 ? row.engine : null,
    databases: Number(row.n),
    databasesMax: row.databases_max,
  };
}
