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
  /** The operator's name for the region of the data. Null when none is set. */
  region: string | null;
  /** The engine and version of the database's server; null until a worker has reached the server. */
  engine: EngineKind | null;
  engine_version: string | null;
  state: 'pending' | 'ready' | 'failed';
  snapshot_number: number;
  settings: DatabaseSettings;
  created_at: string;
  /** When the whole database was found dropped over a direct connection. Null while it exists. */
  missing_since: string | null;
}

/** An engine that new databases of an organization may choose, with the versions of its servers. */
export interface EngineItem {
  engine: EngineKind;
  versions: string[];
  is_default: boolean;
}

/** A limit of direct connections, or a difference in how a tool works on an engine. */
export interface DirectNote {
  name: string;
  text: string;
}

/** What direct connections to a database can do, and what tools need on its engine. */
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
 * null before the first use.
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
   * The maximum estimated number of rows that a statement may examine. Null applies the setting of the
   * database.
   */
  rows_examined_max: number | null;
  last4: string;
  created_at: string;
  /** The account that created the key. */
  created_by: string;
  expires_at: string | null;
  last_used_at: string | null;
  /** The key that replaced this one when it was rotated. */
  replaced_by: string | null;
}

export interface CreatedKeyResponse extends KeyResponse {
  secret: string;
}

/** A rotated key. `previous` is the replaced key, and its `expires_at` is the end of the overlap. */
export interface RotatedKeyResponse extends CreatedKeyResponse {
  previous: KeyResponse;
}

/** A console key for one database, with the rights of the member's role. */
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
   * The certificate authority of the server as PEM. Null when clients trust it by default, or without TLS.
   */
  ca: string | null;
  created_at: string;
  expires_at: string | null;
  /** The time until which the password before the last rotation stays valid. */
  previous_until: string | null;
}

export type ConnectionTestResponse = ConnectionTestResult;

export interface CreatedConnectionResponse extends ConnectionResponse {
  connection_string: string;
  password: string;
}

/** Generated code as files. Files with owner `own` are written once and then belong to the user. */
export interface CodeResponse {
  language: 'python' | 'typescript';
  database: string;
  snapshot: number;
  files: { path: string; owner: 'generated' | 'own'; text: string }[];
}
