import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One revision of a project's draft. The newest is the working schema. */
@Entity('working_schema')
export class WorkingSchema {
  @PrimaryColumn('varchar', { length: 40 })
  projectId!: string;

  @PrimaryColumn('int', { unsigned: true })
  revision!: number;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('longtext')
  snapshot!: string;

  @Column('mediumtext')
  statements!: string;

  @Column('varchar', { length: 40 })
  createdBy!: string;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;
}
