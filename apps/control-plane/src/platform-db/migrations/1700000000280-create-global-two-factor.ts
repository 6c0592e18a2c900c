import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the tables of two-factor authentication and of sign-ins that wait for their second step. */
const TABLES: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS totp_secret (
     account_id varchar(40) NOT NULL,
     secret_sealed varbinary(255) NOT NULL,
     last_step int unsigned NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (account_id)
   )`,
  `CREATE TABLE IF NOT EXISTS recovery_code (
     account_id varchar(40) NOT NULL,
     code_hash binary(32) NOT NULL,
     PRIMARY KEY (account_id, code_hash)
   )`,
  `CREATE TABLE IF NOT EXISTS sign_in_state (
     token_hash binary(32) NOT NULL,
     kind varchar(16) NOT NULL,
     account_id varchar(40) NULL,
     data json NOT NULL,
     expires_at datetime(3) NOT NULL,
     PRIMARY KEY (token_hash),
     KEY sign_in_state_account (account_id),
     KEY sign_in_state_age (expires_at)
   )`,
];

export class CreateGlobalTwoFactor1700000000280 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(table);
    const found = (await queryRunner.query(
      "SHOW COLUMNS FROM account WHERE Field = 'two_factor_at'",
    )) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE account ADD COLUMN two_factor_at datetime(3) NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE account DROP COLUMN two_factor_at');
    for (const table of ['totp_secret', 'recovery_code', 'sign_in_state'])
      await queryRunner.query(`DROP TABLE IF EXISTS ${table}`);
  }
}
