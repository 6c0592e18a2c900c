import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../columns.js';
import { CellRow } from './cell-row.js';

/** A question with accepted SQL. The language model sees it with similar questions. */
@Entity('accepted_question')
@Index('accepted_question_text', ['databaseId', 'questionHash'], { unique: true })
@Index('accepted_question_newest', ['databaseId', 'createdAt'])
export class AcceptedQuestion extends CellRow {
  @IdColumn() databaseId!: string;

  /** A hash of the lower-case words, because a question has one SQL statement. */
  @Column('char', { length: 64 })
  questionHash!: string;

  @Column('text')
  question!: string;

  @Column('text')
  sqlText!: string;

  @IdColumn() createdBy!: string;

  @TimeColumn() createdAt!: Date;
}
