import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One working schema and its databases. Deleted ones stay for a grace period. */
@Entity('project')
@Index('project_organization', ['organizationId'])
export class Project {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 40 })
  organizationId!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('varchar', { length: 32, default: 'empty' })
  starter!: string;

  @Column('varchar', { length: 40 })
  createdBy!: string;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;

  @Column('datetime', { precision: 3, nullable: true })
  deletedAt!: Date | null;
}
