import { Column, Entity, Index } from 'typeorm';
import { IdColumn, PrimaryIdColumn, TimeColumn } from '../columns.js';

/** A bearer token of an account, for the command line and programs. */
@Entity('personal_access_token')
@Index('personal_access_token_hash', ['tokenHash'], { unique: true })
@Index('personal_access_token_account', ['accountId'])
export class PersonalAccessToken {
  @PrimaryIdColumn() id!: string;

  @IdColumn() accountId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('binary', { length: 32 })
  tokenHash!: Buffer;

  @Column('char', { length: 4 })
  last4!: string;

  @TimeColumn({ nullable: true }) expiresAt!: Date | null;

  @TimeColumn({ nullable: true }) revokedAt!: Date | null;

  @TimeColumn({ nullable: true }) lastUsedAt!: Date | null;

  @TimeColumn() createdAt!: Date;
}
