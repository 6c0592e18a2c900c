import type { MigrationResponse } from './migration-responses.js';
import type { DatabaseResponse, ProjectResponse } from './project-responses.js';

// The response bodies of the control API. All times are ISO 8601 in UTC.

/** The number of sessions that the user signed out. */
export interface EndedSessionsResponse {
  sessions_ended: number;
}

/** The number of sessions and tokens that a change of password ended. */
export interface EndedResponse {
  sessions_ended: number;
  tokens_ended: number;
}

/**
 * An account. `email_verified` is true once the user has confirmed the email address. `has_two_factor` is
 * true if signing in with the password also needs a code.
 */
export interface AccountResponse {
  id: string;
  email: string;
  name: string;
  is_operator: boolean;
  email_verified: boolean;
  wants_notices: boolean;
  has_two_factor: boolean;
}

/** The state of two-factor authentication. `enabled_at` is null while it is off. */
export interface TwoFactorResponse {
  enabled_at: string | null;
  recovery_codes_left: number;
}

export interface PasskeyItem {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** The secret for an authenticator app, in base32 and as the `otpauth:` URI of a QR code. */
export interface TotpSetupResponse {
  secret: string;
  uri: string;
}

/** The new recovery codes. They are returned only once. */
export interface RecoveryCodesResponse {
  recovery_codes: string[];
}

/** An organization of the caller. `requires_two_factor` applies to all of its members. */
export interface OrganizationResponse {
  id: string;
  name: string;
  role: Role;
  requires_two_factor: boolean;
}

export type Role = 'owner' | 'admin' | 'developer' | 'viewer';

/**
 * The response to a sign-up. `api_key` is the first API key of the development database, and is returned only
 * once.
 */
export interface SignupResponse {
  account: AccountResponse;
  organization: OrganizationResponse;
  project: ProjectResponse;
  databases: DatabaseResponse[];
  api_key: string;
  csrf_token: string;
  /**
   * The migrations that deploy the starter schema. Only present with status 202, if they had not ended yet.
   */
  migrations?: MigrationResponse[];
}

export interface SessionResponse {
  account: AccountResponse;
  organizations: OrganizationResponse[];
  csrf_token: string;
}

/**
 * The response to a request that sends an email. `is_mailed` is false if the installation sends no emails.
 * The email is then written to the installation's log.
 */
export interface MailResponse {
  is_mailed: boolean;
}

export interface SessionItem {
  id: string;
  user_agent: string;
  address: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  is_current: boolean;
}

export interface TokenItem {
  id: string;
  name: string;
  last4: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

/**
 * The number of active credentials in the organization's projects that this member created or was the last to
 * rotate.
 */
export interface MemberCredentialsResponse {
  api_keys: number;
  connections: number;
  share_links: number;
}

/** A member. `has_two_factor` is null for callers who are neither owner nor admin. */
export interface MemberResponse {
  account_id: string;
  email: string;
  name: string;
  role: Role;
  has_two_factor: boolean | null;
  created_at: string;
}

export interface InvitationResponse {
  id: string;
  email: string;
  role: Role;
  expires_at: string;
}

/**
 * An invitation that was just created. `token` and `url`, with which the invited user joins, are returned
 * only once. `is_mailed` reports whether they were also sent by email.
 */
export interface CreatedInvitationResponse extends InvitationResponse {
  token: string;
  url: string;
  is_mailed: boolean;
}

/** An invitation as shown to the invited user. */
export interface OpenInvitationResponse extends InvitationResponse {
  organization: { id: string; name: string };
}

/** An audit event. `account_email` is empty if no user was signed in or if the account was deleted. */
export interface AuditItem {
  id: string;
  at: string;
  account_id: string | null;
  account_email: string;
  project_id: string | null;
  action: string;
  target: string;
  detail: Record<string, unknown>;
  address: string;
  request_id: string;
}

export interface TokenResponse {
  id: string;
  name: string;
  token: string;
  expires_at: string | null;
}
