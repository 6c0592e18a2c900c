/**
 * The MCP server: the protocol revisions of 2025 and 2026 on one stateless endpoint (using the official
 * package), the fence around database content, and the origin check. This package does not know tools, keys,
 * databases or HTTP frameworks.
 */
export { createMcpEndpoint, type McpAnswer, type McpEndpoint, type McpRequest } from './mcp-endpoint.js';
export { refuseTooLong, refuseUnreadable } from './refuse-message.js';
export { MESSAGE_VALUES_MAX } from './take-arguments.js';
export { isTrustedPlace, type CallPlace } from './is-trusted-place.js';
export { toToolError, toToolResult } from './tool-result.js';
export type { McpTool, McpToolbox, McpToolResult } from './toolbox.js';
