import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A bearer token of an account, for the command line and machines. */
@Entity('personal_access_token')
@Index('personal_access_token_hash', ['tokenHash'], { unique: true })
@Index('personal_access_token_account', ['accountId'])
export class PersonalAccessToken {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 40 })
  accountId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('binary', { length: 32 })
  tokenHash!: Buffer;

  @Column('char', { length: 4 })
  last4!: string;

  @Column('datetime', { precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column('datetime', { precision: 3, nullable: true })
  revokedAt!: Date | null;

  @Column('datetime', { precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;
}
