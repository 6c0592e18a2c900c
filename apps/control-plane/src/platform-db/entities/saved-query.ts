import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A question or statement of a database under a name. */
@Entity('saved_query')
@Index('saved_query_name', ['databaseId', 'name'], { unique: true })
export class SavedQuery {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 40 })
  databaseId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('varchar', { length: 8 })
  kind!: 'sql' | 'question';

  @Column('mediumtext')
  query!: string;

  @Column('varchar', { length: 40 })
  createdBy!: string;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;

  @Column('datetime', { precision: 3 })
  updatedAt!: Date;
}
