import type { Rate, Scope, TableRights } from '@rowhouse/contracts';
import { Column, Entity, Index } from 'typeorm';
import { BigCountColumn, IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** An API key of a database. Only the HMAC of the key is stored. */
@Entity('api_key')
@Index('api_key_hash', ['keyHash'], { unique: true })
@Index('api_key_database', ['databaseId', 'createdAt'])
@Index('api_key_session', ['sessionId'])
@Index('api_key_creator', ['createdBy', 'kind'])
export class ApiKey extends CellRow {
  @IdColumn() databaseId!: string;

  @IdColumn() lineageId!: string;

  @Column('varchar', { length: 16, default: 'api' })
  kind!: 'api' | 'session';

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('binary', { length: 32 })
  keyHash!: Buffer;

  @Column('char', { length: 4 })
  last4!: string;

  @Column('json')
  scopes!: Scope[];

  @Column('json', { nullable: true })
  tables!: TableRights | null;

  @Column('char', { length: 64, default: '' })
  rightsHash!: string;

  @Column('json', { nullable: true })
  origins!: string[] | null;

  @Column('json', { nullable: true })
  rate!: Rate | null;

  /** The maximum estimated number of rows per statement. Null applies the setting of the database. */
  @BigCountColumn({ nullable: true }) rowsExaminedMax!: number | null;

  /** The key that replaced this one. */
  @IdColumn({ nullable: true }) replacedBy!: string | null;

  /** The session with which a console key ends. Null for other keys. */
  @IdColumn({ nullable: true }) sessionId!: string | null;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;

  @TimeColumn({ nullable: true }) expiresAt!: Date | null;

  @TimeColumn({ nullable: true }) revokedAt!: Date | null;

  @TimeColumn({ nullable: true }) lastUsedAt!: Date | null;
}
