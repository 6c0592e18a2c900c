import type { Role } from '@rowhouse/contracts';
import { Column, Entity, Index } from 'typeorm';
import { PrimaryIdColumn, TimeColumn } from '../columns.js';

/** The role of an account in an organization. */
@Entity('membership')
@Index('membership_account', ['accountId'])
export class Membership {
  @PrimaryIdColumn() organizationId!: string;

  @PrimaryIdColumn() accountId!: string;

  @Column('varchar', { length: 16 })
  role!: Role;

  @TimeColumn() createdAt!: Date;
}
