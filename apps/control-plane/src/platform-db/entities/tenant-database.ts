import type { DatabaseSettings, LocationState, PlanName } from '@rowhouse/contracts';
import { Column, Entity, Index } from 'typeorm';
import { BigCountColumn, CountColumn, IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

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

  /** That made the project; null in rows that nobody has filled since there is this column. */
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

  /** Since when its schema is not on the server any more; null: it is there. */
  @TimeColumn({ nullable: true }) missingSince!: Date | null;

  /** Up to then a move holds its writes; only with `locationState` moving. */
  @TimeColumn({ nullable: true }) movingUntil!: Date | null;

  /** All requests wait until then while a migration prepares to change the meaning of a name. */
  @TimeColumn({ nullable: true }) requestsPausedUntil!: Date | null;

  /** Requests wait until a worker has published: a name may have another meaning than the live snapshot says. */
  @Column('boolean', { default: false })
  namesChanging!: boolean;

  @TimeColumn() createdAt!: Date;

  @TimeColumn({ nullable: true }) deletedAt!: Date | null;
}
