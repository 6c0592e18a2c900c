import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A question and what was made of it. A gateway writes it; here it is shown and judged. */
@Entity('question_log')
@Index('question_log_database', ['databaseId', 'at', 'id'])
@Index('question_log_time', ['cellId', 'at'])
export class QuestionLogEntry {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 40 })
  databaseId!: string;

  @Column('varchar', { length: 40 })
  keyId!: string;

  @Column('datetime', { precision: 3 })
  at!: Date;

  @Column('text')
  question!: string;

  @Column('text', { nullable: true })
  sqlText!: string | null;

  @Column('varchar', { length: 8 })
  source!: '' | 'rules' | 'llm' | 'cache';

  @Column('varchar', { length: 40 })
  code!: string;

  @Column('int', { unsigned: true })
  durationMs!: number;

  @Column('int', { unsigned: true })
  tokens!: number;

  @Column('tinyint', { unsigned: true })
  repairs!: number;

  @Column('varchar', { length: 64 })
  requestId!: string;

  @Column('varchar', { length: 10, nullable: true })
  verdict!: 'accepted' | 'rejected' | null;
}
