import type { DatabaseSettings, LocationState, PlanName } from '@rowhouse/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { numberColumn } from '../column-transformers.js';

/** One environment of a project: one MySQL schema on one server. */
@Entity('tenant_database')
@Index('tenant_database_schema', ['schemaName'], { unique: true })
@Index('tenant_database_docs', ['docsSlug'], { unique: true })
@Index('tenant_database_environment', ['projectId', 'environment'], { unique: true })
@Index('tenant_database_server', ['serverId'])
export class TenantDatabase {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 40 })
  projectId!: string;

  @Column('varchar', { length: 100 })
  projectName!: string;

  @Column('varchar', { length: 32 })
  environment!: string;

  @Column('varchar', { length: 40 })
  schemaName!: string;

  @Column('int', { unsigned: true })
  slot!: number;

  @Column('varchar', { length: 40 })
  serverId!: string;

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

  @Column('bigint', { unsigned: true, default: 0, transformer: numberColumn })
  snapshotNumber!: number;

  @Column('char', { length: 64, default: '' })
  snapshotHash!: string;

  @Column('bigint', { unsigned: true, default: 1, transformer: numberColumn })
  version!: number;

  @Column('varchar', { length: 16, default: 'standard' })
  plan!: PlanName;

  @Column('bigint', { unsigned: true, default: 0, transformer: numberColumn })
  storageBytes!: number;

  @Column('datetime', { precision: 3, nullable: true })
  storageMeasuredAt!: Date | null;

  @Column('boolean', { default: false })
  storageFull!: boolean;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;

  @Column('datetime', { precision: 3, nullable: true })
  deletedAt!: Date | null;
}
