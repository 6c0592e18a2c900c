import { Column, Entity, PrimaryColumn } from 'typeorm';
import { numberColumn } from '../column-transformers.js';

/** The language model that a project has set up for itself. */
@Entity('project_model')
export class ProjectModel {
  @PrimaryColumn('varchar', { length: 40 })
  projectId!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 500 })
  baseUrl!: string;

  @Column('varchar', { length: 200 })
  model!: string;

  /** Opens for the origin of `baseUrl` alone; null: it takes none. */
  @Column('varbinary', { length: 2_000, nullable: true })
  keySealed!: Buffer | null;

  /** The time of the change: never the same again, not after a removal either. */
  @Column('bigint', { unsigned: true, transformer: numberColumn })
  version!: number;

  @Column('varchar', { length: 40 })
  updatedBy!: string;

  @Column('datetime', { precision: 3 })
  updatedAt!: Date;
}
