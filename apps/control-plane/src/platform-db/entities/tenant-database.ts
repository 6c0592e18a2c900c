import type { DatabaseSettings, LocationState, PlanName } from '@rowhouse/contracts';
import { Column, Entity, Index } from 'typeorm';
import { BigCountColumn, CountColumn, IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** The values of a new database that are also the defaults of the columns. */
export const NEW_DATABASE = {
  generation: 1,
  locationState: 'live',
  provisionState: 'pending',
  snapshotNumber: 0,
  snapshotHash: '',
  version: 1,
  plan: 'standard',
  storageBytes: 0,
  storageFull: false,
  namesChanging: false,
} as const;

/** One environment of a project: one MySQL schema on one server. */
@Entity('tenant_database')
@Index('tenant_database_schema', ['schemaName'], { unique: true })
@Index('tenant_database_docs', ['docsSlug'], { unique: true })
@Index('tenant_database_environment', ['projectId', 'environment'], { unique: true })
@Index('tenant_database_server', ['serverId'])
export class TenantDatabase extends CellRow {
  @IdColumn() projectId!: string;

  @Column('varchar', { length: 100 })
  projectName!: string;

  /** The account that created the project. Null in rows that are older than the column. */
  @IdColumn({ nullable: true }) accountId!: string | null;

  @Column('varchar', { length: 32 })
  environment!: string;

  @IdColumn() schemaName!: string;

  @CountColumn() slot!: number;

  @IdColumn() serverId!: string;

  @Column('int', { unsigned: true, default: 1 })
  generation!: number;

  @Column('varchar', { length: 16, default: 'live' })
  locationState!: LocationState;

  @Column('varchar', { length: 16, default: 'pending' })
  provisionState!: 'pending' | 'ready' | 'failed';

  @Column('varchar', { length: 64 })
  docsSlug!: string;

  @Column('json')
  settings!: DatabaseSettings;

  @BigCountColumn({ default: 0 }) snapshotNumber!: number;

  @Column('char', { length: 64, default: '' })
  snapshotHash!: string;

  @BigCountColumn({ default: 1 }) version!: number;

  @Column('varchar', { length: 16, default: 'standard' })
  plan!: PlanName;

  @BigCountColumn({ default: 0 }) storageBytes!: number;

  @TimeColumn({ nullable: true }) storageMeasuredAt!: Date | null;

  @Column('boolean', { default: false })
  storageFull!: boolean;

  /** The time since which the schema is missing on the server. Null while it exists. */
  @TimeColumn({ nullable: true }) missingSince!: Date | null;

  /** The time at which a write pause by a move ends. Only set while `locationState` is `moving`. */
  @TimeColumn({ nullable: true }) movingUntil!: Date | null;

  /**
   * The time at which a pause of all requests ends. A migration sets it before it changes the meaning of a
   * name.
   */
  @TimeColumn({ nullable: true }) requestsPausedUntil!: Date | null;

  /**
   * While set, requests wait until a worker has published the schema, because a name may not have the meaning
   * of the current snapshot.
   */
  @Column('boolean', { default: false })
  namesChanging!: boolean;

  @TimeColumn() createdAt!: Date;

  @TimeColumn({ nullable: true }) deletedAt!: Date | null;
}
