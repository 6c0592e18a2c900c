import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A question with SQL that somebody stands for: the language model is shown it with questions like it. */
@Entity('accepted_question')
@Index('accepted_question_text', ['databaseId', 'questionHash'], { unique: true })
@Index('accepted_question_newest', ['databaseId', 'createdAt'])
export class AcceptedQuestion {
  @PrimaryColumn('varchar', { length: 40 })
  id!: string;

  @Column('varchar', { length: 16 })
  cellId!: string;

  @Column('varchar', { length: 40 })
  databaseId!: string;

  /** Of its words in small letters: one question has one SQL. */
  @Column('char', { length: 64 })
  questionHash!: string;

  @Column('text')
  question!: string;

  @Column('text')
  sqlText!: string;

  @Column('varchar', { length: 40 })
  createdBy!: string;

  @Column('datetime', { precision: 3 })
  createdAt!: Date;
}
