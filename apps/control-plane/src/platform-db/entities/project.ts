import { Column, Entity, Index } from 'typeorm';
import { IdColumn, PrimaryIdColumn, TimeColumn } from '../columns.js';

/** A project: one working schema and its databases. Deleted projects are retained for a grace period. */
@Entity('project')
@Index('project_organization', ['organizationId'])
@Index('project_maker', ['createdBy'])
export class Project {
  @PrimaryIdColumn() id!: string;

  @IdColumn() organizationId!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('varchar', { length: 32, default: 'empty' })
  starter!: string;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;

  @TimeColumn({ nullable: true }) deletedAt!: Date | null;
}
