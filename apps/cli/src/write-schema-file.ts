import type { WorkingSchemaResponse } from '@rowhouse/contracts';

/** Returns the text of a schema file. Servers of earlier versions send no frame. */
export function writeSchemaFile({
  sql,
  file_frame: frame,
}: Pick<WorkingSchemaResponse, 'sql'> & Partial<Pick<WorkingSchemaResponse, 'file_frame'>>): string {
  return sql === '' ? '' : `${frame?.head ?? ''}\n${sql}\n${frame?.tail ?? ''}`;
}
