import { Column, Entity } from 'typeorm';
import { PrimaryIdColumn, TimeColumn } from '../columns.js';

/** An organization, which owns projects. */
@Entity('organization')
export class Organization {
  @PrimaryIdColumn() id!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @TimeColumn() createdAt!: Date;
}
