/** The search parameters of the code page. */
export interface CodeSearch {
  readonly tab?: 'typescript' | 'shell';
  readonly file?: string;
  readonly changes?: boolean;
  readonly pydantic?: '1';
  readonly sqlalchemy?: '1.4';
}

export function readCodeSearch(search: Record<string, unknown>): CodeSearch {
  return {
    ...(search['tab'] === 'typescript' || search['tab'] === 'shell' ? { tab: search['tab'] } : {}),
    ...(typeof search['file'] === 'string' ? { file: search['file'].slice(0, 200) } : {}),
    ...(search['changes'] === true ? { changes: true } : {}),
    ...(search['pydantic'] === 1 || search['pydantic'] === '1' ? { pydantic: '1' as const } : {}),
    ...(search['sqlalchemy'] === 1.4 || search['sqlalchemy'] === '1.4' ? { sqlalchemy: '1.4' as const } : {}),
  };
}
