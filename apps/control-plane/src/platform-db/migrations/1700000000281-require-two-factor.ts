import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the setting by which an organization requires two-factor authentication of its members. */
export class RequireTwoFactor1700000000281 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query(
      "SHOW COLUMNS FROM organization WHERE Field = 'requires_two_factor'",
    )) as unknown[];
    if (found.length === 0)
      await queryRunner.query(
        'ALTER TABLE organization ADD COLUMN requires_two_factor tinyint(1) NOT NULL DEFAULT 0',
      );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE organization DROP COLUMN requires_two_factor');
  }
}
