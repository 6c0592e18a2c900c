import type { McpTool } from '@rowhouse/mcp';
import { z } from 'zod';
import type { ControlApi } from './control-api-caller.js';

/** A tool based on the control API. */
export interface ControlTool {
  readonly listed: McpTool;
  /**
   * Validates the arguments and returns the members of the result.
   *
   * @throws ControlApiError, AppError, or ZodError for invalid arguments
   */
  run(api: ControlApi, args: unknown): Promise<Readonly<Record<string, unknown>>>;
}

interface ToolParts<S extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: S;
  readonly effect: 'reads' | 'adds' | 'changes';
  readonly run: (api: ControlApi, args: z.output<S>) => Promise<Readonly<Record<string, unknown>>>;
}

/** Creates a tool. Its listed schema is derived from the schema that validates its arguments. */
export function defineTool<S extends z.ZodObject>({
  name,
  title,
  description,
  input,
  effect,
  run,
}: ToolParts<S>): ControlTool {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: inputSchema as McpTool['inputSchema'],
      annotations:
        effect === 'reads'
          ? { readOnlyHint: true, openWorldHint: false }
          : { readOnlyHint: false, destructiveHint: effect === 'changes', openWorldHint: false },
    },
    run: async (api, args) => run(api, input.parse(args)),
  };
}

export const projectId = z.string().min(1).max(40).describe('The project id from get_projects: prj_…');
export const environment = z
  .string()
  .min(1)
  .max(31)
  .default('development')
  .describe('Default: development. A new project also has production');
