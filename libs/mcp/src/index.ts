/**
 * The MCP server: the protocol revisions of 2025 and 2026 on one stateless endpoint (with the official
 * package), the markers around database content, and the check of origins. This package does not depend on
 * tools, keys, databases or HTTP frameworks.
 */
export { MESSAGE_VALUES_MAX, rejectTooLong, rejectUnreadable, type McpResponse } from './check-message.js';
export { createMcpEndpoint, type McpEndpoint } from './mcp-endpoint.js';
export type { McpRequest } from './check-message.js';
export { isTrustedOrigin, type RequestOrigin } from './is-trusted-origin.js';
export { toToolError, toToolResult, type McpTool, type McpToolbox, type McpToolResult } from './tools.js';
