import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { isPlatformAddress } from '@rowhouse/contracts';
import { createAuditChain } from '@rowhouse/credentials';
import { keyMaterial, readConfig, urlSecret } from '@rowhouse/runtime';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { appendAudit } from '../audit-chain/append-audit.js';
import { createGlobalDataSource } from '../platform-db/data-sources.js';

const environment = z.object({
  PLATFORM_GLOBAL_URL: urlSecret(isPlatformAddress),
  ROWHOUSE_MASTER_KEY: keyMaterial(),
});

/** A command on one account. It runs in a transaction, and its JSON result is printed. */
export interface AccountChange {
  /** The action in the audit log. */
  readonly action: string;
  /** The prefix of error messages. */
  readonly failure: string;
  /** Additional options without values. */
  readonly flags?: readonly string[];
  /** @throws a message for the terminal */
  readonly change: (
    manager: EntityManager,
    account: { readonly id: string; readonly email: string },
    flags: ReadonlySet<string>,
  ) => Promise<Record<string, unknown>>;
}

/**
 * Runs a command `--email <address>` on the platform database. Anyone who can run it already has write access
 * to that database. Prints the result, writes an audit event, and sets the exit code.
 */
export function runAccountChange(command: AccountChange): void {
  changeAccount(command).then(
    (created) => process.stdout.write(`${JSON.stringify(created)}\n`),
    (error: unknown) => {
      process.stderr.write(`${command.failure}: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}

async function changeAccount({
  action,
  flags = [],
  change,
}: AccountChange): Promise<Record<string, unknown>> {
  const values: Readonly<Record<string, unknown>> = parseArgs({
    options: {
      email: { type: 'string' },
      ...Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }])),
    },
  }).values;
  const email = typeof values['email'] === 'string' ? values['email'].trim().toLowerCase() : '';
  if (email === '') throw new Error('specify the email address of the account: --email <address>');
  const config = readConfig(environment);
  const db = await (await createGlobalDataSource(config.PLATFORM_GLOBAL_URL.reveal())).initialize();
  const chain = createAuditChain(Buffer.from(config.ROWHOUSE_MASTER_KEY.reveal(), 'base64url'));
  try {
    return await db.transaction(async (manager) => {
      const [account] = await manager.query<{ id: string }[]>(
        'SELECT id FROM account WHERE email = ? FOR UPDATE',
        [email],
      );
      if (account === undefined) throw new Error(`no account has the email address ${email}`);
      const created = await change(
        manager,
        { id: account.id, email },
        new Set(flags.filter((flag) => values[flag] === true)),
      );
      await appendAudit(manager, chain, {
        at: new Date(),
        organizationId: null,
        projectId: null,
        accountId: account.id,
        action,
        target: account.id,
        detail: Object.fromEntries(flags.map((flag) => [flag, values[flag] === true])) as never,
        address: '',
        requestId: '',
      });
      return { email, ...created };
    });
  } finally {
    await db.destroy();
  }
}
