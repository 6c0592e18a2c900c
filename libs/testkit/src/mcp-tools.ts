/** The names of the data tools of a gateway, in the order of its list. */
export const DATA_TOOLS = [
  'get_schema',
  'query_database',
  'read_records',
  'create_records',
  'update_records',
  'delete_records',
];

// A test may read any member of any result. A missing member fails its expectation.
type Json = ReturnType<typeof JSON.parse>;

/** The parsed result of a tool. */
export interface ToolReply {
  readonly isError: boolean;
  /** The structured content, for programs. */
  readonly reported: Json;
  /** The JSON inside the fence, for models. */
  readonly fenced: Json;
  /** The text of the response as it was received. */
  readonly text: string;
}

/** Parses the result of a tool. Throws when its text has no fence around the data. */
export function readToolReply(result: {
  readonly content: readonly unknown[];
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
}): ToolReply {
  const text = String((result.content[0] as { readonly text?: string } | undefined)?.text);
  const inside = /\n<(untrusted-data-[0-9a-f]{16})>\n([^]*)\n<\/\1>$/.exec(text)?.[2];
  if (inside === undefined) throw new Error(`no fence around ${text}`);
  return {
    isError: result.isError === true,
    reported: result.structuredContent,
    fenced: JSON.parse(inside),
    text,
  };
}
