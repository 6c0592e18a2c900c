import { Injectable } from '@nestjs/common';
import type { CreatePasskeyRequest, PasskeyItem, PasskeyOptionsRequest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { IsNull, LessThan } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { toIso } from '../../http/timestamps.js';
import { Account } from '../../platform-db/entities/account.js';
import { Passkey } from '../../platform-db/entities/passkey.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { AccountService } from '../account/account-service.js';
import { AttemptLimiter } from '../auth/attempt-limiter.js';
import { AuthService, type SignedIn } from '../auth/auth-service.js';
import { lockAccount } from '../auth/account-rows.js';
import { passkeyMail } from '../mail/mail-texts.js';
import { Mailer } from '../mail/mailer.js';
import { SecondFactorCheck } from '../two-factor/second-factor-check.js';
import { SignInStates } from '../two-factor/sign-in-states.js';
import { hashCredentialId, PasskeyVerifier } from './passkey-verifier.js';

const PASSKEYS_MAX = 20;

/** The options of a ceremony, and the token that binds its challenge to the browser. */
export interface Ceremony<Options> {
  readonly options: Options;
  readonly stateToken: string;
}

/** Manages passkeys and signs members in with them. */
@Injectable()
export class PasskeyService {
  constructor(
    private readonly db: PlatformDb,
    private readonly accounts: AccountService,
    private readonly auth: AuthService,
    private readonly states: SignInStates,
    private readonly verifier: PasskeyVerifier,
    private readonly secondFactor: SecondFactorCheck,
    private readonly limiter: AttemptLimiter,
    private readonly mailer: Mailer,
    private readonly audit: AuditWriter,
  ) {}

  async list(accountId: string): Promise<PasskeyItem[]> {
    const rows = await this.#rows.find({ where: { accountId }, order: { createdAt: 'ASC' } });
    return rows.map(toItem);
  }

  /**
   * Starts to add a passkey. It signs in alone, so the request proves everything that a sign-in needs: the
   * password, and a code if two-factor authentication is on.
   */
  async begin(
    context: RequestContext,
    { password, code = '' }: PasskeyOptionsRequest,
  ): Promise<Ceremony<PublicKeyCredentialCreationOptionsJSON>> {
    const { account } = context.caller;
    const existing = await this.#rows.findBy({ accountId: account.id });
    const options = await this.verifier.createOptions(account, existing);
    await this.accounts.assertPassword(context, password);
    if (account.twoFactorAt !== null) {
      await this.limiter.countCode(context.address, account.id);
      await this.db.globalTransaction((manager) => this.secondFactor.spend(manager, account.id, code));
      await this.limiter.forgiveCode(context.address, account.id);
    }
    const stateToken = await this.states.issue({
      kind: 'passkey_create',
      accountId: account.id,
      data: { challenge: options.challenge },
    });
    return { options, stateToken };
  }

  /** Stores the passkey that the browser created. */
  async create(
    context: RequestContext,
    token: string | undefined,
    { name, response }: CreatePasskeyRequest,
  ): Promise<PasskeyItem> {
    const { account } = context.caller;
    const state = await this.states.find(token, 'passkey_create');
    if (state.accountId !== account.id) throw new AppError('auth.sign_in_expired');
    const created = await this.verifier.verifyCreated(
      response as unknown as RegistrationResponseJSON,
      state.data['challenge'] ?? '',
    );
    const credentialId = Buffer.from(created.id, 'base64url');
    const row = {
      id: createId('psk'),
      accountId: account.id,
      name,
      credentialHash: hashCredentialId(credentialId),
      credentialId,
      publicKey: Buffer.from(created.publicKey),
      signCount: created.counter,
      createdAt: new Date(this.db.nowMs()),
      lastUsedAt: null,
    };
    await this.db.globalTransaction(async (manager) => {
      await lockAccount(manager, account, () => new AppError('auth.sign_in_expired'));
      await this.states.spend(manager, state);
      const rows = manager.getRepository(Passkey);
      if ((await rows.countBy({ accountId: account.id })) >= PASSKEYS_MAX)
        throw new AppError('resource.conflict', {
          detail: `An account can have at most ${PASSKEYS_MAX} passkeys.`,
          hint: 'Remove one that you no longer need.',
        });
      if (await rows.existsBy({ credentialHash: row.credentialHash }))
        throw new AppError('resource.conflict', { detail: 'This passkey was already added.' });
      await rows.insert(row);
      const note = { action: 'account.passkey_add', target: row.id, detail: { name } };
      await this.audit.record(manager, context, note);
    });
    this.mailer.post(passkeyMail(account.email, name, true));
    return toItem(row);
  }

  async rename(context: RequestContext, id: string, name: string): Promise<PasskeyItem> {
    const { accountId } = context;
    await this.audit.changeGlobal(
      context,
      { action: 'account.passkey_rename', target: id, detail: { name } },
      async (manager) => {
        const { affected } = await manager.getRepository(Passkey).update({ id, accountId }, { name });
        if (affected !== 1) throw unknownPasskey();
      },
    );
    return toItem(await this.#rows.findOneByOrFail({ id, accountId }));
  }

  async remove(context: RequestContext, id: string): Promise<void> {
    const { account } = context.caller;
    const row = await this.#rows.findOneBy({ id, accountId: account.id });
    if (row === null) throw unknownPasskey();
    await this.audit.changeGlobal(
      context,
      { action: 'account.passkey_remove', target: row.id, detail: { name: row.name } },
      async (manager) => {
        const { affected } = await manager.getRepository(Passkey).delete({ id: row.id });
        if (affected !== 1) throw unknownPasskey();
      },
    );
    this.mailer.post(passkeyMail(account.email, row.name, false));
  }

  /** Starts a sign-in with any passkey of this installation. */
  async beginSignIn(context: RequestContext): Promise<Ceremony<PublicKeyCredentialRequestOptionsJSON>> {
    await this.limiter.countToken(context.address);
    const options = await this.verifier.signInOptions();
    const data = { challenge: options.challenge };
    return { options, stateToken: await this.states.issue({ kind: 'passkey', accountId: null, data }) };
  }

  /**
   * Signs in with a passkey. The device has verified its user, so no code is needed. Of parallel requests with
   * one challenge, one succeeds.
   */
  async signIn(context: RequestContext, token: string | undefined, response: object): Promise<SignedIn> {
    await this.limiter.countToken(context.address);
    const state = await this.states.find(token, 'passkey');
    const signed = response as AuthenticationResponseJSON;
    const passkey = await this.#rows.findOneBy({
      credentialHash: hashCredentialId(Buffer.from(signed.id, 'base64url')),
    });
    const account = await this.db.global
      .getRepository(Account)
      .findOneBy({ id: passkey?.accountId ?? '', disabledAt: IsNull() });
    if (passkey === null || account === null) throw new AppError('auth.bad_passkey');
    const signCount = await this.verifier.verifySignIn(signed, state.data['challenge'] ?? '', passkey);
    return this.auth.open(context, account, async (manager) => {
      await this.states.spend(manager, state);
      // This rejects a passkey that has been removed, and a copy with an older count.
      const { affected } = await manager
        .getRepository(Passkey)
        .update(
          { id: passkey.id, signCount: signCount === 0 ? 0 : LessThan(signCount) },
          { signCount, lastUsedAt: new Date(this.db.nowMs()) },
        );
      if (affected !== 1) throw new AppError('auth.bad_passkey');
      return { passkey: passkey.id };
    });
  }

  get #rows() {
    return this.db.global.getRepository(Passkey);
  }
}

function toItem({ id, name, createdAt, lastUsedAt }: Omit<Passkey, 'accountId'>): PasskeyItem {
  return { id, name, created_at: createdAt.toISOString(), last_used_at: toIso(lastUsedAt) };
}

function unknownPasskey(): AppError {
  return new AppError('resource.not_found', { detail: 'The passkey does not exist.' });
}
