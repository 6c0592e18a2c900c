/** Exports all tabs except the first one from one module, so that they are loaded as one chunk. */
export { CommandLine } from '../code/command-line.js';
export { DirectTab } from './direct/direct-tab.js';
export { DocsAccess } from './docs-access.js';
export { DocsTab } from './docs-tab.js';
export { McpTab } from './mcp-tab.js';
