import { Column, Entity, Index } from 'typeorm';
import { IdColumn, PrimaryIdColumn, TimeColumn } from '../columns.js';

export type EmailTokenPurpose = 'verify' | 'reset';

/** A token that went out by mail. Only its hash is stored; it counts once and until `expiresAt`. */
@Entity('email_token')
@Index('email_token_hash', ['tokenHash'], { unique: true })
@Index('email_token_account', ['accountId', 'purpose'])
@Index('email_token_age', ['expiresAt'])
export class EmailToken {
  @PrimaryIdColumn() id!: string;

  @IdColumn() accountId!: string;

  @Column('varchar', { length: 16 })
  purpose!: EmailTokenPurpose;

  /** The address it went to: it proves no other one. */
  @Column('varchar', { length: 254 })
  email!: string;

  @Column('binary', { length: 32 })
  tokenHash!: Buffer;

  @TimeColumn() expiresAt!: Date;

  @TimeColumn({ nullable: true }) usedAt!: Date | null;

  @TimeColumn() createdAt!: Date;
}
