import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Whoever has its token may clone what its file holds. */
@Entity('share_link')
@Index('share_link_token', ['tokenHash'], { unique: true })
@Index('share_link_project', ['projectId', 'createdAt'])
export class ShareLink {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 40 })
  projectId!: string;

  @Column('varchar', { length: 40, default: '' })
  fileId!: string;

  @Column('binary', { length: 32 })
  tokenHash!: Buffer;

  @Column('varchar', { length: 100, default: '' })
  name!: string;

  @Column('boolean', { default: false })
  includesData!: boolean;

  @Column('int', { unsigned: true, default: 0 })
  clones!: number;

  @Column('varchar', { length: 40 })
  createdBy!: string;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;

  @Column('datetime', { precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column('datetime', { precision: 3, nullable: true })
  revokedAt!: Date | null;
}
