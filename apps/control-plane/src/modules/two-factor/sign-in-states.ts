import { Injectable } from '@nestjs/common';
import { generateToken } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { LessThan, MoreThan, type EntityManager } from 'typeorm';
import { SIGN_IN_SECONDS } from '../../access/session-cookie.js';
import { SignInState, type SignInStateKind } from '../../platform-db/entities/sign-in-state.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { Secrets } from '../../platform/secrets.js';

/** The values that a pending sign-in stores for its next step. */
export interface NewSignInState {
  readonly kind: SignInStateKind;
  readonly accountId: string | null;
  readonly data: Readonly<Record<string, string>>;
}

/** Sign-ins that wait for their next step. Each is bound to one browser by a cookie and expires soon. */
@Injectable()
export class SignInStates {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
  ) {}

  /** Stores a pending sign-in. Returns the token for the cookie of the browser. */
  async issue(state: NewSignInState): Promise<string> {
    const token = generateToken('rhl');
    await this.#rows.insert({
      ...state,
      tokenHash: this.secrets.hash(token),
      expiresAt: new Date(this.db.nowMs() + SIGN_IN_SECONDS * 1_000),
    });
    return token;
  }

  /** Returns a pending sign-in of this kind. Throws `auth.sign_in_expired` if it does not exist. */
  async find(token: string | undefined, kind: SignInStateKind): Promise<SignInState> {
    const row =
      token === undefined || token.length > 100
        ? null
        : await this.#rows.findOneBy({
            tokenHash: this.secrets.hash(token),
            kind,
            expiresAt: MoreThan(new Date(this.db.nowMs())),
          });
    if (row === null) throw expiredSignIn();
    return row;
  }

  /** Uses up the pending sign-in in the transaction of its effect. Only one of parallel requests succeeds. */
  async spend(manager: EntityManager, { tokenHash }: SignInState): Promise<void> {
    const { affected } = await manager.getRepository(SignInState).delete({ tokenHash });
    if (affected !== 1) throw expiredSignIn();
  }

  /** Ends all pending sign-ins of an account. */
  async dropAll(manager: EntityManager, accountId: string): Promise<void> {
    await manager.getRepository(SignInState).delete({ accountId });
  }

  /** Deletes expired states. */
  async sweep(): Promise<void> {
    await this.#rows.delete({ expiresAt: LessThan(new Date(this.db.nowMs())) });
  }

  get #rows() {
    return this.db.global.getRepository(SignInState);
  }
}

export function expiredSignIn(): AppError {
  return new AppError('auth.sign_in_expired');
}
