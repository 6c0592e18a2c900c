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

  /** The earlier revision whose schema this one is again; null: it says something new. */
  @Column('int', { unsigned: true, nullable: true })
  restores!: number | null;

  /** Whether the text describes the whole schema or changes it; null: it is of an older version, or no text at all. */
  @Column('varchar', { length: 8, nullable: true })
  mode!: 'replace' | 'apply' | null;

  /** The renames that the author declared beside the text, as JSON; null: none. */
  @Column('mediumtext', { nullable: true })
  renames!: string | null;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;
}
