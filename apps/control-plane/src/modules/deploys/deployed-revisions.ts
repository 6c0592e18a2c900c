import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { MigrationRow } from '../../platform-db/entities/migration-row.js';
import { PlatformDb } from '../../platform-db/platform-db.js';

/** Finds the revision of the working schema that each database has. */
@Injectable()
export class DeployedRevisions {
  constructor(private readonly db: PlatformDb) {}

  /** Returns the deployed revision of a database; null before the first deploy. */
  async find(databaseId: string): Promise<number | null> {
    return (await this.query(databaseId).orderBy('m.publishedNumber', 'DESC').getOne())?.revision ?? null;
  }

  /** Selects the deploys of a database that are in effect, as `m`. */
  query(databaseId: string): SelectQueryBuilder<MigrationRow> {
    return this.db.cell
      .getRepository(MigrationRow)
      .createQueryBuilder('m')
      .where("m.databaseId = :databaseId AND m.state = 'published' AND m.origin <> 'direct'", { databaseId });
  }
}
