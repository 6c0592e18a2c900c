import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The routes that each key called per day. A schema change lists the keys that use what it removes. */
const CREATE_KEY_USE = `CREATE TABLE IF NOT EXISTS key_use_day (
     cell_id varchar(16) NOT NULL,
     database_id varchar(40) NOT NULL,
     key_id varchar(40) NOT NULL,
     day date NOT NULL,
     route varchar(200) NOT NULL,
     requests bigint unsigned NOT NULL DEFAULT 0,
     last_at datetime NOT NULL,
     PRIMARY KEY (database_id, day, key_id, route),
     KEY key_use_day_age (cell_id, day)
   )`;

export class CountKeyUse1700000000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(CREATE_KEY_USE);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE IF EXISTS key_use_day');
  }
}
