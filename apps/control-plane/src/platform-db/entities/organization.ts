import { Column, Entity } from 'typeorm';
import { PrimaryIdColumn, TimeColumn } from '../columns.js';

/** An organization, which owns projects. */
@Entity('organization')
export class Organization {
  @PrimaryIdColumn() id!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  /** Whether members need two-factor authentication to reach anything of the organization. */
  @Column('boolean', { default: false })
  requiresTwoFactor!: boolean;

  @TimeColumn() createdAt!: Date;
}
