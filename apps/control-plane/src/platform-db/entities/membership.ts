import type { Role } from '@rowhouse/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A role of an account in an organization. */
@Entity('membership')
@Index('membership_account', ['accountId'])
export class Membership {
  @PrimaryColumn('varchar', { length: 40 })
  organizationId!: string;

  @PrimaryColumn('varchar', { length: 40 })
  accountId!: string;

  @Column('varchar', { length: 16 })
  role!: Role;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;
}
