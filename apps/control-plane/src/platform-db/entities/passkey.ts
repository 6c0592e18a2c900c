import { Column, Entity, Index } from 'typeorm';
import { CountColumn, IdColumn, PrimaryIdColumn, TimeColumn } from '../columns.js';

/** A passkey of an account. It consists of public data only. */
@Entity('passkey')
@Index('passkey_credential', ['credentialHash'], { unique: true })
@Index('passkey_account', ['accountId'])
export class Passkey {
  @PrimaryIdColumn() id!: string;

  @IdColumn() accountId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  /** The SHA-256 of the credential's id, which may be long. */
  @Column('binary', { length: 32 })
  credentialHash!: Buffer;

  @Column('varbinary', { length: 1_024 })
  credentialId!: Buffer;

  @Column('varbinary', { length: 4_096 })
  publicKey!: Buffer;

  /** The authenticator's count of signatures. It stays 0 for passkeys that are synchronized. */
  @CountColumn() signCount!: number;

  @TimeColumn() createdAt!: Date;

  @TimeColumn({ nullable: true }) lastUsedAt!: Date | null;
}
