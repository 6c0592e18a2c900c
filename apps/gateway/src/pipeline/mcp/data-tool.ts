import type { Scope } from '@rowhouse/contracts';
import type { McpTool } from '@rowhouse/mcp';
import type { JsonObject } from '@rowhouse/rest-engine';
import type { Verb } from '@rowhouse/schema-model';
import type { Tenant } from '../../tenant/tenant.js';
import type { Call } from '../call.js';
import type { Gateway } from '../gateway.js';

/** One tool: how a key is told of it, and what it does. It reaches rows by calls that REST could have made, and by nothing else. */
export interface DataTool {
  readonly name: string;
  /** Null where this key could do nothing with it. */
  describe(offer: ToolOffer): McpTool | null;
  /** The members of its result. Throws AppError. */
  run(use: ToolUse, args: JsonObject): Promise<JsonObject>;
}

/** What a key may do, as far as the list of tools tells of it. */
export interface ToolOffer {
  hasScope(scope: Scope): boolean;
  /** Tables that this key may treat so, views among those that are read. */
  tablesFor(verb: Verb): readonly string[];
}

/** One call of a tool. `gateway` has admitted it. */
export interface ToolUse {
  readonly gateway: Gateway;
  readonly call: Call;
  readonly tenant: Tenant;
}
