import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A browser session. Only hashes of its two secrets are stored. */
@Entity('session')
@Index('session_token', ['tokenHash'], { unique: true })
@Index('session_account', ['accountId'])
export class SessionRow {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 40 })
  accountId!: string;

  @Column('binary', { length: 32 })
  tokenHash!: Buffer;

  @Column('binary', { length: 32 })
  csrfHash!: Buffer;

  @Column('varchar', { length: 300, default: '' })
  userAgent!: string;

  @Column('varchar', { length: 64, default: '' })
  address!: string;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;

  @Column('datetime', { precision: 3 })
  lastSeenAt!: Date;

  @Column('datetime', { precision: 3 })
  expiresAt!: Date;

  @Column('datetime', { precision: 3, nullable: true })
  revokedAt!: Date | null;
}
