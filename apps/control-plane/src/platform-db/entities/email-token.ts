import { Column, Entity, Index } from 'typeorm';
import { IdColumn, PrimaryIdColumn, TimeColumn } from '../columns.js';

export type EmailTokenPurpose = 'verify' | 'reset';

/** A token sent by email. Only its hash is stored. It is valid once until `expiresAt`. */
@Entity('email_token')
@Index('email_token_hash', ['tokenHash'], { unique: true })
@Index('email_token_account', ['accountId', 'purpose'])
@Index('email_token_age', ['expiresAt'])
export class EmailToken {
  @PrimaryIdColumn() id!: string;

  @IdColumn() accountId!: string;

  @Column('varchar', { length: 16 })
  purpose!: EmailTokenPurpose;

  /** The recipient. The token confirms only this address. */
  @Column('varchar', { length: 254 })
  email!: string;

  @Column('binary', { length: 32 })
  tokenHash!: Buffer;

  @TimeColumn() expiresAt!: Date;

  @TimeColumn({ nullable: true }) usedAt!: Date | null;

  @TimeColumn() createdAt!: Date;
}
