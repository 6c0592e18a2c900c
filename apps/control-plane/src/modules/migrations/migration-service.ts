import { Injectable } from '@nestjs/common';
import { MIGRATION_END_STATES, type ListAnswer, type MigrationAnswer } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { LessThan } from 'typeorm';
import type { CallContext } from '../../access/call-context.js';
import { MigrationRow } from '../../platform-db/entities/migration-row.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { toMigrationAnswer } from './migration-answer.js';

/** Reads the journal, and asks for an end of what runs. */
@Injectable()
export class MigrationService {
  constructor(
    private readonly db: PlatformDb,
    private readonly audit: AuditWriter,
  ) {}

  /** Newest first. The cursor is the creation time of the last one told. */
  async list(projectId: string, page: { readonly limit: number; readonly cursor?: string | undefined }): Promise<ListAnswer<MigrationAnswer>> {
    const before = page.cursor === undefined ? {} : { createdAt: LessThan(readCursor(page.cursor)) };
    const rows = await this.#rows.find({ where: { projectId, ...before }, order: { createdAt: 'DESC', id: 'DESC' }, take: page.limit });
    const last = rows.at(-1);
    return { items: rows.map(toMigrationAnswer), next_cursor: rows.length < page.limit || last === undefined ? null : last.createdAt.toISOString() };
  }

  /** A queued one ends at once; a running one ends at its next safe point, or not any more. */
  async cancel(call: CallContext): Promise<MigrationAnswer> {
    const { id, state } = call.migration;
    if (MIGRATION_END_STATES.includes(state)) throw new AppError('schema.not_possible', { detail: `This migration has ended: ${state}.` });
    await this.db.cell.query(
      `UPDATE migration SET cancel_requested_at = COALESCE(cancel_requested_at, UTC_TIMESTAMP(3)),
         finished_at = IF(state = 'queued', UTC_TIMESTAMP(3), finished_at), state = IF(state = 'queued', 'cancelled', state) WHERE id = ?`,
      [id],
    );
    await this.audit.write(call, { action: 'migration.cancel', target: id });
    return this.find(id);
  }

  async find(id: string): Promise<MigrationAnswer> {
    return toMigrationAnswer(await this.#rows.findOneByOrFail({ id }));
  }

  get #rows() {
    return this.db.cell.getRepository(MigrationRow);
  }
}

function readCursor(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new AppError('params.invalid', { faults: [{ loc: ['query', 'cursor'], msg: 'This is no cursor of this list.', type: 'value_error' }] });
  return time;
}
