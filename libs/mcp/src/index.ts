/**
 * Owns MCP between HTTP and a set of tools: the protocol in its revisions of 2025 and 2026 from one stateless endpoint
 * (the official server package speaks it), the fence around whatever comes out of a database, and who may ask from where.
 * Must not know which tools there are, keys, databases, or HTTP frameworks.
 */
export { createMcpEndpoint, type McpAnswer, type McpEndpoint, type McpRequest } from './mcp-endpoint.js';
export { refuseTooLong, refuseUnreadable } from './refuse-message.js';
export { MESSAGE_VALUES_MAX } from './take-arguments.js';
export { isTrustedPlace, type CallPlace } from './is-trusted-place.js';
export { toToolError, toToolResult } from './tool-result.js';
export type { McpTool, McpToolbox, McpToolResult } from './toolbox.js';
