import { Inject, Injectable } from '@nestjs/common';
import { attemptPrefix } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { RedisClient } from '@rowhouse/queue';
import { networkOf } from '@rowhouse/runtime';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../config.js';
import { Secrets } from '../../platform/secrets.js';
import { CONFIG, REDIS } from '../../platform/tokens.js';

const QUARTER_HOUR_SECONDS = 900;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

interface Limits {
  readonly signInsPerAddress: number;
  readonly failuresPerEmail: number;
  readonly failuresPerEmailAndAddress: number;
  readonly codesPerAccount: number;
  readonly codesPerAccountAndAddress: number;
  readonly signUpsPerAddress: number;
  readonly mailsPerAddress: number;
  readonly mailsPerEmail: number;
  readonly tokensPerAddress: number;
  readonly invitationsPerAccount: number;
  readonly invitationsPerOrganization: number;
  readonly invitationMailsPerEmail: number;
}
const STRICT: Limits = {
  signInsPerAddress: 100,
  failuresPerEmail: 50,
  failuresPerEmailAndAddress: 10,
  codesPerAccount: 50,
  codesPerAccountAndAddress: 5,
  signUpsPerAddress: 20,
  mailsPerAddress: 30,
  mailsPerEmail: 5,
  tokensPerAddress: 60,
  invitationsPerAccount: 50,
  invitationsPerOrganization: 200,
  invitationMailsPerEmail: 5,
};
/**
 * The limits outside of production, where tests and demos create many accounts from one address. The limits
 * of passwords and codes are the same as in production.
 */
const RELAXED: Limits = {
  ...STRICT,
  signInsPerAddress: 2_000,
  signUpsPerAddress: 2_000,
  mailsPerAddress: 2_000,
  tokensPerAddress: 2_000,
  invitationsPerAccount: 2_000,
  invitationsPerOrganization: 2_000,
};

/** Counts sign-in, sign-up and email attempts in Redis, or in memory while Redis is unavailable. */
@Injectable()
export class AttemptLimiter {
  readonly #byAddress: RateLimiterRedis;
  readonly #byEmail: RateLimiterRedis;
  readonly #byPair: RateLimiterRedis;
  readonly #codesByAccount: RateLimiterRedis;
  readonly #codesByPair: RateLimiterRedis;
  readonly #signUps: RateLimiterRedis;
  readonly #mailsByAddress: RateLimiterRedis;
  readonly #mailsByEmail: RateLimiterRedis;
  readonly #tokens: RateLimiterRedis;
  readonly #invitationsByAccount: RateLimiterRedis;
  readonly #invitationsByOrganization: RateLimiterRedis;
  readonly #invitationMails: RateLimiterRedis;

  constructor(
    @Inject(REDIS) redis: RedisClient,
    @Inject(CONFIG) config: Config,
    private readonly secrets: Secrets,
  ) {
    const limits = config.environment === 'production' ? STRICT : RELAXED;
    const create = (name: string, points: number, seconds: number): RateLimiterRedis =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: attemptPrefix(config.cellId, name),
        points,
        duration: seconds,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory({ points, duration: seconds }),
      });
    this.#byAddress = create('in-address', limits.signInsPerAddress, QUARTER_HOUR_SECONDS);
    this.#byEmail = create('in-email', limits.failuresPerEmail, HOUR_SECONDS);
    this.#byPair = create('in-pair', limits.failuresPerEmailAndAddress, QUARTER_HOUR_SECONDS);
    this.#codesByAccount = create('code-account', limits.codesPerAccount, DAY_SECONDS);
    this.#codesByPair = create('code-pair', limits.codesPerAccountAndAddress, QUARTER_HOUR_SECONDS);
    this.#signUps = create('up-address', limits.signUpsPerAddress, HOUR_SECONDS);
    this.#mailsByAddress = create('mail-address', limits.mailsPerAddress, HOUR_SECONDS);
    this.#mailsByEmail = create('mail-email', limits.mailsPerEmail, HOUR_SECONDS);
    this.#tokens = create('token-address', limits.tokensPerAddress, QUARTER_HOUR_SECONDS);
    this.#invitationsByAccount = create('invite-account', limits.invitationsPerAccount, HOUR_SECONDS);
    this.#invitationsByOrganization = create(
      'invite-organization',
      limits.invitationsPerOrganization,
      DAY_SECONDS,
    );
    this.#invitationMails = create('invite-email', limits.invitationMailsPerEmail, DAY_SECONDS);
  }

  /**
   * Counts a sign-in attempt before the password is checked, so that parallel guesses are all counted.
   * Attempts rejected by client address do not count for the email address. Otherwise one client could lock
   * the owner out from everywhere.
   */
  async countSignIn(address: string, email: string): Promise<void> {
    const [name, network] = [this.#nameOf(email), networkOf(address)];
    await consume(this.#byAddress, network);
    await consume(this.#byPair, `${name}:${network}`);
    await consume(this.#byEmail, name);
  }

  /** Resets the attempts of the email address after a successful sign-in. */
  async forgiveSignIn(address: string, email: string): Promise<void> {
    const name = this.#nameOf(email);
    await this.#byPair.delete(`${name}:${networkOf(address)}`).catch(() => false);
    await this.#byEmail.reward(name).catch(() => undefined);
  }

  /**
   * Counts an attempt at the second factor before the code is checked. The limit per day keeps the chance of
   * guessing a six-digit code low, even from many addresses. Attempts rejected by client address do not count
   * for the account.
   */
  async countCode(address: string, accountId: string): Promise<void> {
    await consume(this.#codesByPair, `${accountId}:${networkOf(address)}`);
    await consume(this.#codesByAccount, accountId);
  }

  /** Resets the attempts of this client address after a right code. */
  async forgiveCode(address: string, accountId: string): Promise<void> {
    await this.#codesByPair.delete(`${accountId}:${networkOf(address)}`).catch(() => false);
    await this.#codesByAccount.reward(accountId).catch(() => undefined);
  }

  async countSignUp(address: string): Promise<void> {
    await consume(this.#signUps, networkOf(address));
  }

  /** Counts a requested email, whether or not the account exists. */
  async countMail(address: string, email: string): Promise<void> {
    await consume(this.#mailsByAddress, networkOf(address));
    await consume(this.#mailsByEmail, this.#nameOf(email));
  }

  /** Counts an attempt to use an email token. */
  async countToken(address: string): Promise<void> {
    await consume(this.#tokens, networkOf(address));
  }

  /** Counts an invitation per account and hour, and per organization and day. */
  async countInvitation(accountId: string, organizationId: string): Promise<void> {
    const rejected: Rejection = { code: 'limit.rate', detail: 'Too many invitations.' };
    await consume(this.#invitationsByAccount, accountId, rejected);
    await consume(this.#invitationsByOrganization, organizationId, rejected);
  }

  /** Returns whether an address may receive another invitation email today, from any sender. */
  async mayMailInvitation(email: string): Promise<boolean> {
    return this.#invitationMails.consume(this.#nameOf(email)).then(() => true, falseIfLimited);
  }

  /**
   * Returns a hash of the email address, so that Redis does not contain the addresses of users who sign in.
   */
  #nameOf(email: string): string {
    return this.secrets.hash(email).toString('base64url').slice(0, 22);
  }
}

interface Rejection {
  readonly code: 'limit.sign_in' | 'limit.rate';
  readonly detail?: string;
}

async function consume(
  limiter: RateLimiterRedis,
  key: string,
  { code, ...message }: Rejection = { code: 'limit.sign_in' },
): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (rejected) {
    if (rejected instanceof RateLimiterRes)
      throw new AppError(code, { ...message, retryAfterSeconds: Math.max(1, rejected.msBeforeNext / 1_000) });
    throw rejected;
  }
}

/** Returns false when a limit is reached. Throws any other error again. */
function falseIfLimited(rejected: unknown): false {
  if (rejected instanceof RateLimiterRes) return false;
  throw rejected;
}
