import type { CallToolResult, Tool } from '@modelcontextprotocol/server';

export type McpTool = Tool;
export type McpToolResult = CallToolResult;

/** The tools of one caller. Created for each request, because it depends on the caller's rights. */
export interface McpToolbox {
  /** The name for programs: `rowhouse`. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  /** The instructions that a model receives before the tools. */
  readonly instructions: string;
  /** @throws AppError */
  listTools(): Promise<McpTool[]>;
  /**
   * Calls a tool. Returns null for an unknown tool. A failure of the tool is a result that describes it.
   *
   * @throws AppError
   */
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<McpToolResult | null>;
}
