import {
  type AccountResponse,
  type EndedResponse,
  type EndedSessionsResponse,
  type OrganizationResponse,
  type RecoveryCodesResponse,
  type SessionResponse,
  type TokenResponse,
  type TotpSetupResponse,
  type TwoFactorResponse,
} from '@rowhouse/contracts';
import type { MailResponse } from '@rowhouse/contracts';
import { z } from 'zod';
import { type Shape, id, role, time } from './shared.js';
import { projectResponse, databaseResponse } from './databases.js';
import { migrationResponse } from './migrations.js';

export const endedSessionsResponse = z.object({
  sessions_ended: z.int(),
}) satisfies Shape<EndedSessionsResponse>;

export const endedResponse = z.object({
  sessions_ended: z.int(),
  tokens_ended: z.int(),
}) satisfies Shape<EndedResponse>;

export const accountResponse = z.object({
  id,
  email: z.string(),
  name: z.string(),
  is_operator: z.boolean(),
  email_verified: z.boolean(),
  wants_notices: z.boolean(),
  has_two_factor: z.boolean(),
}) satisfies Shape<AccountResponse>;

export const twoFactorResponse = z.object({
  enabled_at: time.nullable(),
  recovery_codes_left: z.int(),
}) satisfies Shape<TwoFactorResponse>;

/** The options for `navigator.credentials`, in the JSON form of WebAuthn. */
export const passkeyOptions = z.looseObject({ challenge: z.string() });

export const passkeyItem = z.object({
  id,
  name: z.string(),
  created_at: time,
  last_used_at: time.nullable(),
});

export const totpSetupResponse = z.object({
  secret: z.string(),
  uri: z.string(),
}) satisfies Shape<TotpSetupResponse>;

export const recoveryCodesResponse = z.object({
  recovery_codes: z.array(z.string()),
}) satisfies Shape<RecoveryCodesResponse>;

export const organizationResponse = z.object({
  id,
  name: z.string(),
  role,
  requires_two_factor: z.boolean(),
}) satisfies Shape<OrganizationResponse>;

export const signupResponse = z.object({
  account: accountResponse,
  organization: organizationResponse,
  project: projectResponse,
  databases: z.array(databaseResponse),
  api_key: z.string(),
  csrf_token: z.string(),
  migrations: z.array(migrationResponse).optional(),
});

export const sessionResponse = z.object({
  account: accountResponse,
  organizations: z.array(organizationResponse),
  csrf_token: z.string(),
}) satisfies Shape<SessionResponse>;

export const sessionListItem = z.object({
  id,
  user_agent: z.string(),
  address: z.string(),
  created_at: time,
  last_seen_at: time,
  expires_at: time,
  is_current: z.boolean(),
});

export const tokenResponse = z.object({
  id,
  name: z.string(),
  token: z.string(),
  expires_at: time.nullable(),
}) satisfies Shape<TokenResponse>;

export const tokenListItem = z.object({
  id,
  name: z.string(),
  last4: z.string(),
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
});

export const memberCredentialsResponse = z.object({
  api_keys: z.number().int(),
  connections: z.number().int(),
  share_links: z.number().int(),
});

export const memberResponse = z.object({
  account_id: id,
  email: z.string(),
  name: z.string(),
  role,
  has_two_factor: z.boolean().nullable(),
  created_at: time,
});

export const invitationResponse = z.object({ id, email: z.string(), role, expires_at: time });

export const mailResponse = z.object({ is_mailed: z.boolean() }) satisfies Shape<MailResponse>;

export const createdInvitationResponse = invitationResponse.extend({
  token: z.string(),
  url: z.string(),
  is_mailed: z.boolean(),
});

export const openInvitationResponse = invitationResponse.extend({
  organization: z.object({ id, name: z.string() }),
});

export const auditItem = z.object({
  id,
  at: time,
  account_id: id.nullable(),
  account_email: z.string(),
  project_id: id.nullable(),
  action: z.string(),
  target: z.string(),
  detail: z.record(z.string(), z.unknown()),
  address: z.string(),
  request_id: z.string(),
});
