import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** A question with accepted SQL. It is shown to the language model with similar questions. */
@Entity('accepted_question')
@Index('accepted_question_text', ['databaseId', 'questionHash'], { unique: true })
@Index('accepted_question_newest', ['databaseId', 'createdAt'])
export class AcceptedQuestion extends CellRow {
  @IdColumn() databaseId!: string;

  /** A hash of the question in lower case. Each question has one SQL statement. */
  @Column('char', { length: 64 })
  questionHash!: string;

  @Column('text')
  question!: string;

  @Column('text')
  sqlText!: string;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;
}
