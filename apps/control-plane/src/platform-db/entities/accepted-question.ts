import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** A question with SQL that somebody stands for: the language model is shown it with questions like it. */
@Entity('accepted_question')
@Index('accepted_question_text', ['databaseId', 'questionHash'], { unique: true })
@Index('accepted_question_newest', ['databaseId', 'createdAt'])
export class AcceptedQuestion extends CellRow {
  @IdColumn() databaseId!: string;

  /** Of its words in small letters: one question has one SQL. */
  @Column('char', { length: 64 })
  questionHash!: string;

  @Column('text')
  question!: string;

  @Column('text')
  sqlText!: string;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;
}
