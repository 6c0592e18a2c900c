import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds confirmed addresses, notification settings, and tokens sent by email. */
const CREATE_EMAIL_TOKENS = `CREATE TABLE IF NOT EXISTS email_token (
     id varchar(40) NOT NULL,
     account_id varchar(40) NOT NULL,
     purpose varchar(16) NOT NULL,
     email varchar(254) NOT NULL,
     token_hash binary(32) NOT NULL,
     expires_at datetime(3) NOT NULL,
     used_at datetime(3) NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (id),
     UNIQUE KEY email_token_hash (token_hash),
     KEY email_token_account (account_id, purpose),
     KEY email_token_age (expires_at)
   )`;

const COLUMNS: readonly (readonly [name: string, definition: string])[] = [
  ['email_verified_at', 'datetime(3) NULL'],
  ['wants_notices', 'tinyint(1) NOT NULL DEFAULT 1'],
];

export class CreateGlobalMail1700000000080 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(CREATE_EMAIL_TOKENS);
    for (const [name, definition] of COLUMNS) {
      const found = (await queryRunner.query('SHOW COLUMNS FROM account WHERE Field = ?', [
        name,
      ])) as unknown[];
      if (found.length === 0) await queryRunner.query(`ALTER TABLE account ADD COLUMN ${name} ${definition}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name] of COLUMNS) await queryRunner.query(`ALTER TABLE account DROP COLUMN ${name}`);
    await queryRunner.query('DROP TABLE IF EXISTS email_token');
  }
}
