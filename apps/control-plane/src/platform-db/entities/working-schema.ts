import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IdColumn, PrimaryIdColumn, TimeColumn } from '../columns.js';

/** One revision of a project's draft. The newest is the working schema. */
@Entity('working_schema')
export class WorkingSchema {
  @PrimaryIdColumn() projectId!: string;

  @PrimaryColumn('int', { unsigned: true })
  revision!: number;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('longtext')
  snapshot!: string;

  @Column('mediumtext')
  statements!: string;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;
}
