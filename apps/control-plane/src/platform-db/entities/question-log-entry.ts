import { Column, Entity, Index } from 'typeorm';
import { CountColumn, IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** A question with its result. Gateways write the row, and members review it. */
@Entity('question_log')
@Index('question_log_database', ['databaseId', 'at', 'id'])
@Index('question_log_time', ['cellId', 'at'])
export class QuestionLogEntry extends CellRow {
  @IdColumn() databaseId!: string;

  @IdColumn() keyId!: string;

  @TimeColumn() at!: Date;

  @Column('text')
  question!: string;

  @Column('text', { nullable: true })
  sqlText!: string | null;

  @Column('varchar', { length: 8 })
  source!: '' | 'rules' | 'llm' | 'cache';

  @IdColumn() code!: string;

  @CountColumn() durationMs!: number;

  @CountColumn() tokens!: number;

  @Column('tinyint', { unsigned: true })
  repairs!: number;

  @Column('varchar', { length: 64 })
  requestId!: string;

  @Column('varchar', { length: 10, nullable: true })
  verdict!: 'accepted' | 'rejected' | null;
}
