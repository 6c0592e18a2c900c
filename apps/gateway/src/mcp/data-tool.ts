import type { Scope } from '@rowhouse/contracts';
import type { McpTool } from '@rowhouse/mcp';
import type { JsonObject } from '@rowhouse/rest-engine';
import type { Verb } from '@rowhouse/schema-model';
import type { BatchServices } from '../batch/serve-batch.js';
import type { GatewayRequest } from '../http/gateway-request.js';
import type { QueryServices } from '../query/serve-query.js';
import type { RestServices } from '../rest/serve-rest.js';
import type { Tenant } from '../tenant/tenant.js';

export interface ToolServices extends RestServices, QueryServices, BatchServices {}

/**
 * An MCP tool. It only accesses rows by internal requests to the data API.
 */
export interface DataTool {
  readonly name: string;
  /** Returns the description of the tool, or null if it is useless for this key. */
  describe(offer: ToolOffer): McpTool | null;
  /** Runs the tool and returns the members of its result. Rejects with AppError. */
  run(use: ToolUse, args: JsonObject): Promise<JsonObject>;
}

/** The rights of a key, for the list of tools. */
export interface ToolOffer {
  hasScope(scope: Scope): boolean;
  /** Returns the tables on which this key may perform the action. For reads, views are included. */
  tablesFor(verb: Verb): readonly string[];
}

/** The request and the tenant of a tool call. The request is already admitted. */
export interface ToolUse {
  readonly services: ToolServices;
  readonly request: GatewayRequest;
  readonly tenant: Tenant;
}
