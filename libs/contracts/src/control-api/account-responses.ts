import type { MigrationResponse } from './migration-responses.js';
import type { DatabaseResponse, ProjectResponse } from './project-responses.js';

// Response bodies of the control API. Times are ISO 8601 in UTC.

/** The sessions and tokens that a password change ended. */
export interface EndedResponse {
  sessions_ended: number;
  tokens_ended: number;
}

/** An account. `email_verified` is true once the user has confirmed the email address. */
export interface AccountResponse {
  id: string;
  email: string;
  name: string;
  is_operator: boolean;
  email_verified: boolean;
  wants_notices: boolean;
}

export interface OrganizationResponse {
  id: string;
  name: string;
  role: Role;
}

export type Role = 'owner' | 'admin' | 'developer' | 'viewer';

/** The response to a sign-up. `api_key` is the first key of the development database, and is shown once. */
export interface SignupResponse {
  account: AccountResponse;
  organization: OrganizationResponse;
  project: ProjectResponse;
  databases: DatabaseResponse[];
  api_key: string;
  csrf_token: string;
  /** Only present with status 202, when the starter was not yet deployed. */
  migrations?: MigrationResponse[];
}

export interface SessionResponse {
  account: AccountResponse;
  organizations: OrganizationResponse[];
  csrf_token: string;
}

/**
 * The response to a request that sends an email. `is_mailed` is false on an installation that sends no email.
 * The text is then written to its log.
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
 * The number of active credentials in the organization's projects that the member created or rotated last.
 */
export interface MemberCredentialsResponse {
  api_keys: number;
  connections: number;
  share_links: number;
}

export interface MemberResponse {
  account_id: string;
  email: string;
  name: string;
  role: Role;
  created_at: string;
}

export interface InvitationResponse {
  id: string;
  email: string;
  role: Role;
  expires_at: string;
}

/**
 * A created invitation. `token` and `url` are shown once and let the invited user join. `is_mailed` states
 * whether they were also sent by email.
 */
export interface CreatedInvitationResponse extends InvitationResponse {
  token: string;
  url: string;
  is_mailed: boolean;
}

/** An invitation as the invited user sees it. */
export interface OpenInvitationResponse extends InvitationResponse {
  organization: { id: string; name: string };
}

/** An audit event. `account_email` is empty without a signed-in user and for deleted accounts. */
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
