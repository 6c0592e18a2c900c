import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { BigCountColumn, IdColumn, TimeColumn } from '../columns.js';

/** An action of the control API: who did what, and from which address. */
@Entity('audit_event')
@Index('audit_event_organization', ['organizationId', 'id'])
@Index('audit_event_project', ['projectId', 'id'])
@Index('audit_event_chain', ['chainSeq'], { unique: true })
export class AuditEvent {
  @PrimaryGeneratedColumn('increment', { type: 'bigint', unsigned: true })
  id!: string;

  @TimeColumn() at!: Date;

  @IdColumn({ nullable: true }) organizationId!: string | null;

  @IdColumn({ nullable: true }) projectId!: string | null;

  @IdColumn({ nullable: true }) accountId!: string | null;

  @Column('varchar', { length: 64 })
  action!: string;

  @Column('varchar', { length: 100, default: '' })
  target!: string;

  @Column('json', { nullable: true })
  detail!: Record<string, unknown> | null;

  @Column('varchar', { length: 64, default: '' })
  address!: string;

  @Column('varchar', { length: 64, default: '' })
  requestId!: string;

  /** The position in the chain, consecutive from 1. Null for events before the chain existed. */
  @BigCountColumn({ nullable: true }) chainSeq!: number | null;

  /** The id of the master key with which the link was computed. */
  @Column('char', { length: 8, nullable: true })
  chainKey!: string | null;

  @Column('binary', { length: 32, nullable: true })
  chainLink!: Buffer | null;
}
