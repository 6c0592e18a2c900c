import { Column, Entity, Index } from 'typeorm';
import { CountColumn, IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** A link with a token. Anyone with the token can clone the link's file. */
@Entity('share_link')
@Index('share_link_token', ['tokenHash'], { unique: true })
@Index('share_link_project', ['projectId', 'createdAt'])
export class ShareLink extends CellRow {
  @IdColumn() projectId!: string;

  @Column('varchar', { length: 40, default: '' })
  fileId!: string;

  @Column('binary', { length: 32 })
  tokenHash!: Buffer;

  @Column('varchar', { length: 100, default: '' })
  name!: string;

  @Column('boolean', { default: false })
  includesData!: boolean;

  @CountColumn({ default: 0 }) clones!: number;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;

  @TimeColumn({ nullable: true }) expiresAt!: Date | null;

  @TimeColumn({ nullable: true }) revokedAt!: Date | null;
}
