import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IdColumn, PrimaryIdColumn, TimeColumn } from '../columns.js';

/** A revision of a project's draft. The newest is the working schema. */
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

  /** The earlier revision that this one restores. Null for a new schema. */
  @Column('int', { unsigned: true, nullable: true })
  restores!: number | null;

  /**
   * Whether the text is the whole schema or a change. Null for a revision that an older version stored, or a
   * revision without a text.
   */
  @Column('varchar', { length: 8, nullable: true })
  mode!: 'replace' | 'apply' | null;

  /** The renames that the author declared in addition to the text, as JSON. Null for none. */
  @Column('mediumtext', { nullable: true })
  renames!: string | null;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;
}
