/**
 * The MCP server: the protocol revisions of 2025 and 2026 on one stateless endpoint (using the official
 * package), the fence around database content, and the origin check. This package does not know tools, keys,
 * databases or HTTP frameworks.
 */
export { createMcpEndpoint, type McpResponse, type McpEndpoint, type McpRequest } from './mcp-endpoint.js';
export { rejectTooLong, rejectUnreadable } from './reject-message.js';
export { MESSAGE_VALUES_MAX } from './take-arguments.js';
export { isTrustedOrigin, type RequestOrigin } from './is-trusted-origin.js';
export { toToolError, toToolResult } from './tool-result.js';
export type { McpTool, McpToolbox, McpToolResult } from './toolbox.js';
