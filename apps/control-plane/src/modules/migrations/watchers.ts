import { Injectable } from '@nestjs/common';
import { isRoleAtLeast } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallerAuthenticator } from '../../access/authenticator.js';
import { ReachFinder } from '../../access/reach-finder.js';

/**
 * The maximum number of streams per account. Each stream queries the platform database ten times a second.
 */
const STREAMS_PER_ACCOUNT = 20;

/** Limits the streams of an account in this process, and checks their access again while they run. */
@Injectable()
export class Watchers {
  readonly #streams = new Map<string, number>();

  constructor(
    private readonly authenticator: CallerAuthenticator,
    private readonly reachFinder: ReachFinder,
  ) {}

  /** Counts a stream, and returns a function that ends the count. Throws `limit.streams`. */
  enter(accountId: string): () => void {
    const open = this.#streams.get(accountId) ?? 0;
    if (open >= STREAMS_PER_ACCOUNT)
      throw new AppError('limit.streams', {
        detail: `An account can follow at most ${STREAMS_PER_ACCOUNT} migrations at a time.`,
        retryAfterSeconds: 5,
      });
    this.#streams.set(accountId, open + 1);
    return () => {
      const remaining = (this.#streams.get(accountId) ?? 1) - 1;
      if (remaining === 0) this.#streams.delete(accountId);
      else this.#streams.set(accountId, remaining);
    };
  }

  /** Returns whether the session or token is valid and the account may still see the migration. */
  async mayContinue(req: FastifyRequest, reply: FastifyReply, migrationId: string): Promise<boolean> {
    const caller = await this.authenticator.findCaller(req, reply).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'auth.invalid_key') return null;
      throw error;
    });
    if (caller === null) return false;
    const reach = await this.reachFinder.find('migration', migrationId, caller.account.id, false);
    return reach !== null && isRoleAtLeast(reach.role, 'viewer');
  }
}
