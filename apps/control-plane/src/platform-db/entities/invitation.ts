import type { Role } from '@rowhouse/contracts';
import { Column, Entity, Index } from 'typeorm';
import { IdColumn, PrimaryIdColumn, TimeColumn } from '../columns.js';

/** An invitation to an organization. */
@Entity('invitation')
@Index('invitation_token', ['tokenHash'], { unique: true })
@Index('invitation_organization', ['organizationId'])
export class Invitation {
  @PrimaryIdColumn() id!: string;

  @IdColumn() organizationId!: string;

  @Column('varchar', { length: 254 })
  email!: string;

  @Column('varchar', { length: 16 })
  role!: Role;

  @Column('binary', { length: 32 })
  tokenHash!: Buffer;

  @IdColumn() invitedBy!: string;

  @TimeColumn() expiresAt!: Date;

  @TimeColumn({ nullable: true }) acceptedAt!: Date | null;

  @TimeColumn() createdAt!: Date;
}
