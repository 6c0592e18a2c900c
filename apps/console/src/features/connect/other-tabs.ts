/** Bundles the tabs after the first one into one chunk. */
export { CommandLine } from '../code/command-line.js';
export { DirectTab } from './direct/direct-tab.js';
export { DocsTab } from './docs-tab.js';
export { McpTab } from './mcp-tab.js';
