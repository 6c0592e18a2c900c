import type { AccountRecord } from './records.js';
import type { ConnectionSecretPurpose } from './tasks.js';

/** The purpose under which the password of a platform account on a tenant's server is sealed with the master key. */
export function accountSecretPurpose(databaseId: string, kind: AccountRecord['kind'], rightsHash: string): string {
  return `account:${databaseId}:${kind}:${rightsHash}`;
}

export function connectionSecretPurpose(connectionId: string): ConnectionSecretPurpose {
  return `connection:${connectionId}`;
}
