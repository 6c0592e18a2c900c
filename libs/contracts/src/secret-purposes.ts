import type { AccountRecord } from './records.js';
import type { ConnectionSecretPurpose } from './tasks.js';

/**
 * Returns the purpose for encrypting the password of a platform account on a tenant's server with the master
 * key. A value can be decrypted only for the purpose for which it was encrypted.
 */
export function accountSecretPurpose(
  databaseId: string,
  kind: AccountRecord['kind'],
  rightsHash: string,
): string {
  return `account:${databaseId}:${kind}:${rightsHash}`;
}

/**
 * Returns the purpose for encrypting the API key of a project's language model. It contains the origin of the
 * model, so that the key cannot be decrypted for another origin.
 */
export function modelSecretPurpose(projectId: string, origin: string): string {
  return `model:${projectId}:${origin}`;
}

/** Returns the purpose for encrypting the secret of an account's authenticator app. */
export function totpSecretPurpose(accountId: string): string {
  return `totp:${accountId}`;
}

/**
 * Returns the purpose for encrypting the audit key of an earlier master key. This audit key verifies older
 * audit events.
 */
export function auditKeyPurpose(keyId: string): string {
  return `audit:${keyId}`;
}

export function connectionSecretPurpose(connectionId: string): ConnectionSecretPurpose {
  return `connection:${connectionId}`;
}
