import type { ConnectionRole } from '@rowhouse/contracts';
import { Column, Entity, Index } from 'typeorm';
import { CountColumn, IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** A direct account on the server; its password is never stored. */
@Entity('connection_user')
@Index('connection_user_name', ['userName'], { unique: true })
@Index('connection_user_database', ['databaseId', 'createdAt'])
@Index('connection_user_previous', ['cellId', 'previousUntil'])
export class ConnectionUser extends CellRow {
  @IdColumn() databaseId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('varchar', { length: 16 })
  role!: ConnectionRole;

  @Column('varchar', { length: 32 })
  userName!: string;

  /** Whether its account is refused without TLS. */
  @Column('boolean', { default: false })
  requiresTls!: boolean;

  @IdColumn() createdBy!: string;

  /**
   * Accounts that were shown an earlier password and may have a session that is still open, or have set a password of their
   * own in it. A rotation without an overlap ends every session and empties this; null: nobody.
   */
  @Column('json', { nullable: true })
  knownBy!: string[] | null;

  @TimeColumn() createdAt!: Date;

  @TimeColumn({ nullable: true }) expiresAt!: Date | null;

  @TimeColumn({ nullable: true }) revokedAt!: Date | null;

  /** Until then the password before the last rotation holds too. */
  @TimeColumn({ nullable: true }) previousUntil!: Date | null;

  /** The limit that the account has on its server; null: the usual one. 0: locked until `limitedUntil`. */
  @CountColumn({ nullable: true }) sessionsMax!: number | null;

  @TimeColumn({ nullable: true }) limitedUntil!: Date | null;
}
