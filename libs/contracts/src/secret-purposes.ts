import type { AccountRecord } from './records.js';
import type { ConnectionSecretPurpose } from './tasks.js';

/** The purpose under which the password of a platform account on a tenant's server is sealed with the master key. */
export function accountSecretPurpose(databaseId: string, kind: AccountRecord['kind'], rightsHash: string): string {
  return `account:${databaseId}:${kind}:${rightsHash}`;
}

/** Of the key of a project's language model: sent to another origin than this it does not open. */
export function modelSecretPurpose(projectId: string, origin: string): string {
  return `model:${projectId}:${origin}`;
}

/** Of what is kept of an earlier master key, to verify the audit events of its time. */
export function auditKeyPurpose(keyId: string): string {
  return `audit:${keyId}`;
}

export function connectionSecretPurpose(connectionId: string): ConnectionSecretPurpose {
  return `connection:${connectionId}`;
}
