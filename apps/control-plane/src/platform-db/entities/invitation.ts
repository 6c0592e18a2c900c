import type { Role } from '@rowhouse/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An offer to join an organization. */
@Entity('invitation')
@Index('invitation_token', ['tokenHash'], { unique: true })
@Index('invitation_organization', ['organizationId'])
export class Invitation {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 40 })
  organizationId!: string;

  @Column('varchar', { length: 254 })
  email!: string;

  @Column('varchar', { length: 16 })
  role!: Role;

  @Column('binary', { length: 32 })
  tokenHash!: Buffer;

  @Column('varchar', { length: 40 })
  invitedBy!: string;

  @Column('datetime', { precision: 3 })
  expiresAt!: Date;

  @Column('datetime', { precision: 3, nullable: true })
  acceptedAt!: Date | null;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;
}
