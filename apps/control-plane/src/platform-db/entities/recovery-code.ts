import { Entity, PrimaryColumn } from 'typeorm';
import { PrimaryIdColumn } from '../columns.js';

/** An unused recovery code of an account. Only its hash is stored, and the row is deleted when it is used. */
@Entity('recovery_code')
export class RecoveryCode {
  @PrimaryIdColumn() accountId!: string;

  @PrimaryColumn('binary', { length: 32 })
  codeHash!: Buffer;
}
