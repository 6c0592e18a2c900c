import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { IdColumn, TimeColumn } from '../columns.js';

export type SignInStateKind = 'second_factor' | 'passkey' | 'passkey_create';

/**
 * A sign-in that waits for its next step. Only the hash of its token is stored, which a cookie of the browser
 * holds. The row is deleted when the step succeeds.
 */
@Entity('sign_in_state')
@Index('sign_in_state_account', ['accountId'])
@Index('sign_in_state_age', ['expiresAt'])
export class SignInState {
  @PrimaryColumn('binary', { length: 32 })
  tokenHash!: Buffer;

  @Column('varchar', { length: 16 })
  kind!: SignInStateKind;

  @IdColumn({ nullable: true }) accountId!: string | null;

  /** The values for the next step. They contain no secret that the browser could not have. */
  @Column('json')
  data!: Readonly<Record<string, string>>;

  @TimeColumn() expiresAt!: Date;
}
