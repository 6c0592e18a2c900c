import { Column, Entity, Index } from 'typeorm';
import { IdColumn, PrimaryIdColumn, TimeColumn } from '../columns.js';

/** A browser session. Only hashes of its two secrets are stored. */
@Entity('session')
@Index('session_token', ['tokenHash'], { unique: true })
@Index('session_account', ['accountId'])
export class SessionRow {
  @PrimaryIdColumn() id!: string;

  @IdColumn() accountId!: string;

  @Column('binary', { length: 32 })
  tokenHash!: Buffer;

  @Column('binary', { length: 32 })
  csrfHash!: Buffer;

  @Column('varchar', { length: 300, default: '' })
  userAgent!: string;

  @Column('varchar', { length: 64, default: '' })
  address!: string;

  @TimeColumn() createdAt!: Date;

  @TimeColumn() lastSeenAt!: Date;

  @TimeColumn() expiresAt!: Date;

  @TimeColumn({ nullable: true }) revokedAt!: Date | null;
}
