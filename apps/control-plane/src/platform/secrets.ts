import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  createAuditChain,
  createSecretBox,
  hashToken,
  sealToPublicKey,
  type AuditChain,
  type SecretBox,
} from '@rowhouse/credentials';
import {
  modelSecretPurpose,
  totpSecretPurpose,
  type ConnectionSecretPurpose,
  type ServerCredential,
} from '@rowhouse/contracts';
import { Secret, toKeyRing } from '@rowhouse/runtime';
import type { Config } from '../config.js';

/** Uses the installation's secrets. Only this class holds the secrets themselves. */
export class Secrets {
  readonly #pepper: Buffer;
  readonly #box: SecretBox;
  readonly #serverPublicKey: string;
  readonly auditChain: AuditChain;

  constructor(
    config: Pick<Config, 'masterKey' | 'pepper' | 'serverPublicKey'> &
      Partial<Pick<Config, 'previousMasterKeys'>>,
  ) {
    this.#pepper = Buffer.from(config.pepper.reveal(), 'base64url');
    const masterKeys = toKeyRing(config.masterKey, config.previousMasterKeys ?? []);
    this.#box = createSecretBox(masterKeys);
    this.#serverPublicKey = config.serverPublicKey;
    this.auditChain = createAuditChain(masterKeys[0]);
  }

  /** Returns the hash (32 bytes) that is stored for a key, token or session. */
  hash(token: string): Buffer {
    return hashToken(this.#pepper, token);
  }

  /** Derives the CSRF token of a session from its cookie value, so that the token need not be stored. */
  csrfTokenOf(sessionToken: string): string {
    return createHmac('sha256', this.#pepper).update('csrf\0').update(sessionToken).digest('base64url');
  }

  /** Returns whether `hash` is the hash of `token`, in constant time. */
  isHashOf(token: string, hash: Buffer): boolean {
    return timingSafeEqual(this.hash(token), hash);
  }

  /** Encrypts a connection's password. Returns base64 for a task's payload. */
  sealConnectionPassword(password: string, purpose: ConnectionSecretPurpose): string {
    return this.#box.seal(password, purpose).toString('base64');
  }

  /** Encrypts the API key of a project's language model for the origin of its address. */
  sealModelKey(key: string, projectId: string, origin: string): Buffer {
    return this.#box.seal(key, modelSecretPurpose(projectId, origin));
  }

  /** Decrypts an API key. Throws when the key was encrypted for another origin. */
  openModelKey(sealed: Buffer, projectId: string, origin: string): Secret {
    return new Secret(this.#box.open(sealed, modelSecretPurpose(projectId, origin)));
  }

  /** Encrypts the secret of an authenticator app. It can only be decrypted for the same account. */
  sealTotpSecret(secret: string, accountId: string): Buffer {
    return this.#box.seal(secret, totpSecretPurpose(accountId));
  }

  openTotpSecret(sealed: Buffer, accountId: string): string {
    return this.#box.open(sealed, totpSecretPurpose(accountId));
  }

  /** Encrypts a server's credential. Only the worker can decrypt it. */
  sealServerCredential(credential: ServerCredential): Buffer {
    return sealToPublicKey(
      this.#serverPublicKey,
      JSON.stringify({ user: credential.user, password: credential.password }),
    );
  }
}
