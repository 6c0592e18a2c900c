import { Column, Entity, PrimaryColumn } from 'typeorm';
import { numberColumn } from '../columns.js';

/** The language model of a project. */
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

  /**
   * The encrypted API key. It can only be decrypted for the origin of `baseUrl`. Null if the model needs
   * none.
   */
  @Column('varbinary', { length: 2_000, nullable: true })
  keySealed!: Buffer | null;

  /** The time of the last change. The value never repeats, even after the model was removed. */
  @Column('bigint', { unsigned: true, transformer: numberColumn })
  version!: number;

  @Column('varchar', { length: 40 })
  updatedBy!: string;

  @Column('datetime', { precision: 3 })
  updatedAt!: Date;
}
