import type { AccountRecord } from './records.js';
import type { ConnectionSecretPurpose } from './tasks.js';

/**
 * Returns the purpose under which the password of a platform account on a tenant's server is encrypted with
 * the master key.
 */
export function accountSecretPurpose(
  databaseId: string,
  kind: AccountRecord['kind'],
  rightsHash: string,
): string {
  return `account:${databaseId}:${kind}:${rightsHash}`;
}

/**
 * Returns the purpose under which the API key of a project's language model is encrypted. The purpose
 * includes the origin, so the key cannot be decrypted for another origin.
 */
export function modelSecretPurpose(projectId: string, origin: string): string {
  return `model:${projectId}:${origin}`;
}

/**
 * Returns the purpose under which the audit key of an earlier master key is encrypted. The audit key verifies
 * older audit events.
 */
export function auditKeyPurpose(keyId: string): string {
  return `audit:${keyId}`;
}

export function connectionSecretPurpose(connectionId: string): ConnectionSecretPurpose {
  return `connection:${connectionId}`;
}
