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
  readonly signUpsPerAddress: number;
  readonly mailsPerAddress: number;
  readonly mailsPerEmail: number;
  readonly tokensPerAddress: number;
  readonly invitationsPerAccount: number;
  readonly invitationsPerOrganization: number;
  readonly invitationMailsPerEmail: number;
}
const STRICT: Limits = {
  signInsPerAddress: 100, failuresPerEmail: 50, failuresPerEmailAndAddress: 10, signUpsPerAddress: 20, mailsPerAddress: 30, mailsPerEmail: 5, tokensPerAddress: 60,
  invitationsPerAccount: 50, invitationsPerOrganization: 200, invitationMailsPerEmail: 5,
};
/** Suites and demonstrations sign up many accounts from one address; guessing passwords stays as limited as ever. */
const RELAXED: Limits = { ...STRICT, signInsPerAddress: 2_000, signUpsPerAddress: 2_000, mailsPerAddress: 2_000, tokensPerAddress: 2_000, invitationsPerAccount: 2_000, invitationsPerOrganization: 2_000 };

/** Counts attempts to sign in and up, and mails asked for, in Redis; in this process's memory while Redis is away. */
@Injectable()
export class AttemptLimiter {
  readonly #byAddress: RateLimiterRedis;
  readonly #byEmail: RateLimiterRedis;
  readonly #byPair: RateLimiterRedis;
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
    this.#signUps = create('up-address', limits.signUpsPerAddress, HOUR_SECONDS);
    this.#mailsByAddress = create('mail-address', limits.mailsPerAddress, HOUR_SECONDS);
    this.#mailsByEmail = create('mail-email', limits.mailsPerEmail, HOUR_SECONDS);
    this.#tokens = create('token-address', limits.tokensPerAddress, QUARTER_HOUR_SECONDS);
    this.#invitationsByAccount = create('invite-account', limits.invitationsPerAccount, HOUR_SECONDS);
    this.#invitationsByOrganization = create('invite-organization', limits.invitationsPerOrganization, DAY_SECONDS);
    this.#invitationMails = create('invite-email', limits.invitationMailsPerEmail, DAY_SECONDS);
  }

  /**
   * Counts one attempt to sign in before the password is looked at, so that parallel guesses are all counted. What an address is
   * refused does not count for the e-mail: one address alone could shut its owner out everywhere.
   */
  async countSignIn(address: string, email: string): Promise<void> {
    const [name, network] = [this.#nameOf(email), networkOf(address)];
    await take(this.#byAddress, network);
    await take(this.#byPair, `${name}:${network}`);
    await take(this.#byEmail, name);
  }

  /** A success gives the e-mail's attempts back. */
  async forgiveSignIn(address: string, email: string): Promise<void> {
    const name = this.#nameOf(email);
    await this.#byPair.delete(`${name}:${networkOf(address)}`).catch(() => false);
    await this.#byEmail.reward(name).catch(() => undefined);
  }

  async countSignUp(address: string): Promise<void> {
    await take(this.#signUps, networkOf(address));
  }

  /** Counts one mail that is asked for, whether or not there is such an account. */
  async countMail(address: string, email: string): Promise<void> {
    await take(this.#mailsByAddress, networkOf(address));
    await take(this.#mailsByEmail, this.#nameOf(email));
  }

  /** Counts one attempt to use a token of a mail. */
  async countToken(address: string): Promise<void> {
    await take(this.#tokens, networkOf(address));
  }

  /** Counts one invitation: of an account in an hour, of an organization in a day. */
  async countInvitation(accountId: string, organizationId: string): Promise<void> {
    const refused: Refusal = { code: 'limit.rate', detail: 'Too many invitations.' };
    await take(this.#invitationsByAccount, accountId, refused);
    await take(this.#invitationsByOrganization, organizationId, refused);
  }

  /** Whether an address may get one more invitation by mail today, whoever sends it. */
  async mayMailInvitation(email: string): Promise<boolean> {
    return this.#invitationMails.consume(this.#nameOf(email)).then(() => true, isTakenUp);
  }

  /** Redis need not know who tries to sign in. */
  #nameOf(email: string): string {
    return this.secrets.hash(email).toString('base64url').slice(0, 22);
  }
}

interface Refusal {
  readonly code: 'limit.sign_in' | 'limit.rate';
  readonly detail?: string;
}

async function take(limiter: RateLimiterRedis, key: string, { code, ...said }: Refusal = { code: 'limit.sign_in' }): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) throw new AppError(code, { ...said, retryAfterSeconds: Math.max(1, refused.msBeforeNext / 1_000) });
    throw refused;
  }
}

/** False for a limit that is reached; anything else is thrown on. */
function isTakenUp(refused: unknown): false {
  if (refused instanceof RateLimiterRes) return false;
  throw refused;
}
