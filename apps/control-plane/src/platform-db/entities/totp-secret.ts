import { Column, Entity } from 'typeorm';
import { CountColumn, PrimaryIdColumn, TimeColumn } from '../columns.js';

/** The secret of an account's authenticator app. It is unconfirmed until `account.two_factor_at` is set. */
@Entity('totp_secret')
export class TotpSecret {
  @PrimaryIdColumn() accountId!: string;

  /** The secret, encrypted under the master key. */
  @Column('varbinary', { length: 255 })
  secretSealed!: Buffer;

  /** The time step of the last accepted code. Codes of this step and earlier ones are rejected. */
  @CountColumn({ nullable: true }) lastStep!: number | null;

  @TimeColumn() createdAt!: Date;
}
