import type { ConnectionRole, ConnectionTestResult } from '../tasks.js';
import type { EngineKind } from '@rowhouse/schema-model';
import type { DatabaseSettings, Rate, Scope, TableRights } from '../records.js';

export interface DatabaseResponse {
  id: string;
  project_id: string;
  environment: string;
  docs_slug: string;
  docs_url: string;
  base_url: string;
  /** The operator's name for the region in which the data is stored. Null if the operator has set none. */
  region: string | null;
  /** The engine of the database's server. Null until a worker has connected to the server. */
  engine: EngineKind | null;
  engine_version: string | null;
  state: 'pending' | 'ready' | 'failed';
  snapshot_number: number;
  settings: DatabaseSettings;
  created_at: string;
  /**
   * The time at which the whole database was found to be dropped over a direct connection. Null while it
   * exists.
   */
  missing_since: string | null;
}

/** An engine that can be chosen for new databases of an organization, with the versions of its servers. */
export interface EngineItem {
  engine: EngineKind;
  versions: string[];
  is_default: boolean;
}

/** A note about direct connections: a limit, or a difference in how a tool works with an engine. */
export interface DirectNote {
  name: string;
  text: string;
}

/** The possibilities of a direct connection to a database, and the needs of tools for its engine. */
export interface DirectAccessResponse {
  engine: EngineKind | null;
  engine_version: string | null;
  limits: DirectNote[];
  tools: DirectNote[];
}

export interface ProjectResponse {
  id: string;
  organization_id: string;
  name: string;
  created_at: string;
  databases: DatabaseResponse[];
}

/**
 * A project in a list. `last_call_at` is the time when one of the project's API keys was last used. It is
 * null if none was used yet.
 */
export interface ProjectItem extends ProjectResponse {
  last_call_at: string | null;
}

export interface KeyResponse {
  id: string;
  name: string;
  scopes: Scope[];
  tables: TableRights | null;
  origins: string[] | null;
  rate: Rate | null;
  /**
   * The maximum estimated number of rows that a statement may examine. If null, the setting of the database
   * applies.
   */
  rows_examined_max: number | null;
  last4: string;
  created_at: string;
  /** The account that created the API key. */
  created_by: string;
  expires_at: string | null;
  last_used_at: string | null;
  /** The API key that replaced this one by a rotation. Null if the key was not rotated. */
  replaced_by: string | null;
}

export interface CreatedKeyResponse extends KeyResponse {
  secret: string;
}

/**
 * The new key of a rotation. `previous` is the key that it replaces. `previous.expires_at` is the end of the
 * time in which both keys are valid.
 */
export interface RotatedKeyResponse extends CreatedKeyResponse {
  previous: KeyResponse;
}

/** A key with which the console accesses one database, with the rights of the member's role. */
export interface SessionKeyResponse {
  id: string;
  secret: string;
  scopes: Scope[];
  expires_at: string;
}

export interface ConnectionResponse {
  id: string;
  name: string;
  role: ConnectionRole;
  host: string;
  port: number;
  database: string;
  user: string;
  tls: boolean;
  /**
   * The certificate authority of the server as PEM. Null if clients trust it by default, or if the server
   * does not use TLS.
   */
  ca: string | null;
  created_at: string;
  expires_at: string | null;
  /**
   * The time until which the password before the last rotation remains valid. Null if it is no longer valid.
   */
  previous_until: string | null;
}

export type ConnectionTestResponse = ConnectionTestResult;

export interface CreatedConnectionResponse extends ConnectionResponse {
  connection_string: string;
  password: string;
}

/** Generated code as files. Files with the owner `own` are written once, and then belong to the user. */
export interface CodeResponse {
  language: 'python' | 'typescript';
  database: string;
  snapshot: number;
  files: { path: string; owner: 'generated' | 'own'; text: string }[];
}
