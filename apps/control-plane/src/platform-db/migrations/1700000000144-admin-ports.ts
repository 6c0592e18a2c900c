import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a separate port for workers. Other sessions cannot use up its connections. */
export class AdminPorts1700000000144 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM server WHERE Field = ?', [
      'admin_port',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE server ADD COLUMN admin_port int unsigned NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE server DROP COLUMN admin_port');
  }
}
