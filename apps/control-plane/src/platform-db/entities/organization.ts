import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Owns projects. */
@Entity('organization')
export class Organization {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;
}
