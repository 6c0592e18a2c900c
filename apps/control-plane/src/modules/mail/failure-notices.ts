import { Inject, Injectable } from '@nestjs/common';
import type { TaskError } from '@rowhouse/contracts';
import { In } from 'typeorm';
import type { Config } from '../../config.js';
import { Account } from '../../platform-db/entities/account.js';
import { Membership } from '../../platform-db/entities/membership.js';
import { Project } from '../../platform-db/entities/project.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { CONFIG } from '../../platform/tokens.js';
import { failedMigrationMail, type Mail } from './mail-texts.js';
import { Mailer } from './mailer.js';

interface FailedRow {
  readonly id: string;
  readonly project_id: string;
  readonly database_id: string;
  readonly state: string;
  readonly error: TaskError | string | null;
  readonly created_by: string;
}

const NOTICES_AT_ONCE_MAX = 50;

/** Reports failed migrations by email to their author and to owners and admins of the organization. */
@Injectable()
export class FailureNotices {
  constructor(
    private readonly db: PlatformDb,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Reports failures of the last day that have not been reported. If several control planes run, each failure
   * is reported by one of them.
   */
  async sendAll(): Promise<void> {
    const rows = await this.db.cell.query<FailedRow[]>(
      `SELECT id, project_id, database_id, state, error, created_by FROM migration WHERE cell_id = ? AND state IN ('failed', 'needs_attention')
       AND created_at > UTC_TIMESTAMP(3) - INTERVAL 1 DAY AND (told_at IS NULL OR told_at < finished_at) ORDER BY created_at LIMIT ${NOTICES_AT_ONCE_MAX}`,
      [this.db.cellId],
    );
    for (const row of rows) {
      // The recipients are read before the failure is marked as reported. If reading them fails, the failure
      // is reported next time.
      const mails = await this.#writeMails(row);
      const { affectedRows } = await this.db.cell.query<{ affectedRows: number }>(
        'UPDATE migration SET told_at = UTC_TIMESTAMP(3) WHERE id = ? AND (told_at IS NULL OR told_at < finished_at)',
        [row.id],
      );
      if (affectedRows === 1) for (const mail of mails) this.mailer.post(mail);
    }
  }

  async #writeMails(row: FailedRow): Promise<Mail[]> {
    const project = await this.db.global.getRepository(Project).findOneBy({ id: row.project_id });
    const database = await this.db.cell.getRepository(TenantDatabase).findOneBy({ id: row.database_id });
    if (project === null || project.deletedAt !== null || database === null) return [];
    const about = {
      project: project.name,
      environment: database.environment,
      state: row.state,
      detail: readDetail(row.error),
      url: `${this.config.publicUrl}/projects/${project.id}/${database.environment}/migrations/${row.id}`,
    };
    return (await this.#findReaders(project.organizationId, row.created_by)).map((account) =>
      failedMigrationMail(account.email, about),
    );
  }

  /** Returns the recipients. Former members receive nothing. */
  async #findReaders(organizationId: string, createdBy: string): Promise<Account[]> {
    const members = await this.db.global.getRepository(Membership).findBy({ organizationId });
    const ids = members
      .filter(
        (member) => member.role === 'owner' || member.role === 'admin' || member.accountId === createdBy,
      )
      .map((member) => member.accountId);
    const accounts = await this.db.global.getRepository(Account).findBy({ id: In(ids) });
    return accounts.filter((account) => account.wantsNotices && account.disabledAt === null);
  }
}

function readDetail(error: FailedRow['error']): string {
  const reported = typeof error === 'string' ? (JSON.parse(error) as TaskError) : error;
  return reported?.detail ?? 'The migration did not finish.';
}
