import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  createAuditChain,
  createSecretBox,
  hashToken,
  sealToPublicKey,
  type AuditChain,
  type SecretBox,
} from '@rowhouse/credentials';
import { modelSecretPurpose, type ConnectionSecretPurpose, type ServerCredential } from '@rowhouse/contracts';
import { Secret, toKeyRing } from '@rowhouse/runtime';
import type { Config } from '../config.js';

/** Uses the installation's secrets. The secrets themselves do not leave this class. */
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

  /** Returns the stored hash (32 bytes) of a key, token or session. */
  hash(token: string): Buffer {
    return hashToken(this.#pepper, token);
  }

  /** Derives the CSRF token of a session from its cookie value, so it need not be stored. */
  csrfTokenOf(sessionToken: string): string {
    return createHmac('sha256', this.#pepper).update('csrf\0').update(sessionToken).digest('base64url');
  }

  /** Returns whether `token` hashes to `hash`, in constant time. */
  isHashOf(token: string, hash: Buffer): boolean {
    return timingSafeEqual(this.hash(token), hash);
  }

  /** Returns base64 for a task's payload. */
  sealConnectionPassword(password: string, purpose: ConnectionSecretPurpose): string {
    return this.#box.seal(password, purpose).toString('base64');
  }

  /** Encrypts the API key of a project's language model for the origin of its address. */
  sealModelKey(key: string, projectId: string, origin: string): Buffer {
    return this.#box.seal(key, modelSecretPurpose(projectId, origin));
  }

  /** Throws when it was encrypted for another origin. */
  openModelKey(sealed: Buffer, projectId: string, origin: string): Secret {
    return new Secret(this.#box.open(sealed, modelSecretPurpose(projectId, origin)));
  }

  /** Only the worker can decrypt it. */
  sealServerCredential(credential: ServerCredential): Buffer {
    return sealToPublicKey(
      this.#serverPublicKey,
      JSON.stringify({ user: credential.user, password: credential.password }),
    );
  }
}
