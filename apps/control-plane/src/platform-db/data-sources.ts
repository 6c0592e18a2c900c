import mysql from 'mysql2';
import { createConnection } from 'mysql2/promise';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { boundPool, type PlatformBounds } from './bound-pool.js';
import { CELL_MIGRATIONS } from './cell-migrations.js';
import { AcceptedQuestion } from './entities/accepted-question.js';
import { Account } from './entities/account.js';
import { ApiKey } from './entities/api-key.js';
import { AuditEvent } from './entities/audit-event.js';
import { Cell } from './entities/cell.js';
import { ChangeLogEntry } from './entities/change-log-entry.js';
import { ChangeLogHead } from './entities/change-log-head.js';
import { ConnectionUser } from './entities/connection-user.js';
import { DatabaseAccount } from './entities/database-account.js';
import { DatabaseMove } from './entities/database-move.js';
import { EmailToken } from './entities/email-token.js';
import { Invitation } from './entities/invitation.js';
import { KeptObjectRow } from './entities/kept-object-row.js';
import { Membership } from './entities/membership.js';
import { MigrationRow } from './entities/migration-row.js';
import { Organization } from './entities/organization.js';
import { PersonalAccessToken } from './entities/personal-access-token.js';
import { PlatformSetting } from './entities/platform-setting.js';
import { Project } from './entities/project.js';
import { ProjectModel } from './entities/project-model.js';
import { QuestionLogEntry } from './entities/question-log-entry.js';
import { SavedQuery } from './entities/saved-query.js';
import { ServerRow } from './entities/server-row.js';
import { SessionRow } from './entities/session-row.js';
import { ShareLink } from './entities/share-link.js';
import { SlotRange } from './entities/slot-range.js';
import { SnapshotRow } from './entities/snapshot-row.js';
import { Synonym } from './entities/synonym.js';
import { TaskRow } from './entities/task-row.js';
import { TenantDatabase } from './entities/tenant-database.js';
import { TransferFile } from './entities/transfer-file.js';
import { TransferLoad } from './entities/transfer-load.js';
import { WorkingSchema } from './entities/working-schema.js';
import { CreateGlobalTables1700000000001 } from './migrations/1700000000001-create-global-tables.js';
import { ChainGlobalAudit1700000000084 } from './migrations/1700000000084-chain-global-audit.js';
import { CountGlobalProjects1700000000111 } from './migrations/1700000000111-count-global-projects.js';
import { CreateGlobalMail1700000000080 } from './migrations/1700000000080-create-global-mail.js';
import { SnakeNamingStrategy } from './snake-naming-strategy.js';

const GLOBAL_ENTITIES = [
  Account, AuditEvent, Cell, EmailToken, Invitation, Membership, Organization, PersonalAccessToken, PlatformSetting, Project, SessionRow, SlotRange,
];
const CELL_ENTITIES = [
  AcceptedQuestion, ApiKey, ChangeLogEntry, ChangeLogHead, ConnectionUser, DatabaseAccount, DatabaseMove, KeptObjectRow, MigrationRow, ProjectModel, QuestionLogEntry, SavedQuery, ServerRow, ShareLink, SnapshotRow,
  Synonym, TaskRow, TenantDatabase, TransferFile, TransferLoad, WorkingSchema,
];

/** The driver that TypeORM is handed. */
export type DriverPool = mysql.Pool;
export type DriverConnection = mysql.PoolConnection;

/** Of a process that answers calls. Migrations take as long as they take: they have none. */
export const SERVING_BOUNDS: PlatformBounds = { acquireTimeoutMs: 2_000, statementTimeoutMs: 3_000 };

/** What all cells share. No join and no foreign key leads from it into a cell's tables. */
export async function createGlobalDataSource(url: string, bounds: PlatformBounds | null = null): Promise<DataSource> {
  return new DataSource({
    ...(await commonOptions(url, bounds)),
    entities: GLOBAL_ENTITIES,
    migrations: [CreateGlobalTables1700000000001, CreateGlobalMail1700000000080, ChainGlobalAudit1700000000084, CountGlobalProjects1700000000111],
    migrationsTableName: 'platform_migration_global',
  });
}

/** The tables of one cell. */
export async function createCellDataSource(url: string, bounds: PlatformBounds | null = null): Promise<DataSource> {
  return new DataSource({
    ...(await commonOptions(url, bounds)),
    entities: CELL_ENTITIES,
    migrations: CELL_MIGRATIONS,
    migrationsTableName: 'platform_migration_cell',
  });
}

type MysqlOptions = Extract<DataSourceOptions, { readonly type: 'mysql' | 'mariadb' }>;

async function commonOptions(url: string, bounds: PlatformBounds | null): Promise<MysqlOptions> {
  const { searchParams } = new URL(url);
  return {
    type: await findEngine(url),
    url: withoutSearch(url),
    charset: 'utf8mb4_unicode_ci',
    timezone: 'Z',
    namingStrategy: new SnakeNamingStrategy(),
    synchronize: false,
    migrationsRun: false,
    poolSize: 10,
    connectTimeout: 3_000,
    ...(searchParams.get('tls') === 'required' ? { ssl: { rejectUnauthorized: true, minVersion: 'TLSv1.2' } } : {}),
    // The driver's default preallocates room for 16,000 statements on each connection.
    extra: { maxPreparedStatements: 64, enableKeepAlive: true },
    ...(bounds === null ? {} : { driver: { ...mysql, createPool: (options: mysql.PoolOptions) => boundPool(mysql.createPool(options), bounds) } }),
  };
}

function withoutSearch(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

/** TypeORM has a driver name of its own for MariaDB; the server says what it is. */
async function findEngine(url: string): Promise<'mariadb' | 'mysql'> {
  const isTls = new URL(url).searchParams.get('tls') === 'required';
  const connection = await createConnection({ uri: withoutSearch(url), connectTimeout: 3_000, ...(isTls ? { ssl: { rejectUnauthorized: true, minVersion: 'TLSv1.2' } } : {}) });
  try {
    const [rows] = await connection.query('SELECT VERSION() AS version');
    const version = (rows as { version: string }[])[0]?.version ?? '';
    return /mariadb/i.test(version) ? 'mariadb' : 'mysql';
  } finally {
    connection.destroy();
  }
}
