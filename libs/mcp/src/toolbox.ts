import type { CallToolResult, Tool } from '@modelcontextprotocol/server';

export type McpTool = Tool;
export type McpToolResult = CallToolResult;

/** What one caller may do. Made for each request: it knows who is asking. */
export interface McpToolbox {
  /** As programs name it: `rowhouse`. */
  readonly name: string;
  /** As people read it. */
  readonly title: string;
  /** What a model is told before it sees a tool. */
  readonly instructions: string;
  /** May throw AppError. */
  listTools(): Promise<McpTool[]>;
  /** Null: there is no such tool. What goes wrong in a tool is a result that says so; may throw AppError. */
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<McpToolResult | null>;
}
