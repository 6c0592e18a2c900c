import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button, NativeSelect } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { codeQuery, toArchiveAddress, type CodeLanguage, type CodeInput } from '../../data/code/queries.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { Segments } from '../../ui/controls/segments.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { CodeChanges } from './code-changes.js';
import { CodeFiles } from './code-files.js';
import type { CodeSearch } from './code-search.js';
import classes from './code.module.css';

const WAITING = <SkeletonRows rows={8} />;

interface GeneratedCodeProps {
  readonly database: DatabaseResponse;
  readonly language: CodeLanguage;
  readonly search: CodeSearch;
  readonly onChange: (part: { [Name in keyof CodeSearch]?: CodeSearch[Name] | undefined }) => void;
}

/** Shows the generated files, which can be read, copied and downloaded. The CLI generates the same files. */
export function GeneratedCode({ database, language, search, onChange }: GeneratedCodeProps) {
  const input: CodeInput =
    language === 'python'
      ? { language, pydantic: search.pydantic, sqlalchemy: search.sqlalchemy }
      : { language };
  const code = useQuery(codeQuery(database.id, database.snapshot_number, input));
  return (
    <div className={classes.stack}>
      <div className={classes.bar}>
        <div className={classes.choices}>
          <Segments
            aria-label="View"
            data={[
              { value: 'files', label: 'Files' },
              { value: 'changes', label: 'Since the last deploy' },
            ]}
            value={search.changes === true ? 'changes' : 'files'}
            onChange={(value) => onChange({ changes: value === 'changes' || undefined })}
          />
          {language === 'python' ? (
            <>
              <NativeSelect
                size="xs"
                aria-label="Pydantic version"
                data={[
                  { value: '2', label: 'Pydantic 2' },
                  { value: '1', label: 'Pydantic 1' },
                ]}
                value={search.pydantic ?? '2'}
                onChange={(event) =>
                  onChange({ pydantic: event.currentTarget.value === '1' ? '1' : undefined })
                }
              />
              <NativeSelect
                size="xs"
                aria-label="SQLAlchemy version"
                data={[
                  { value: '2.0', label: 'SQLAlchemy 2.0' },
                  { value: '1.4', label: 'SQLAlchemy 1.4' },
                ]}
                value={search.sqlalchemy ?? '2.0'}
                onChange={(event) =>
                  onChange({ sqlalchemy: event.currentTarget.value === '1.4' ? '1.4' : undefined })
                }
              />
            </>
          ) : null}
        </div>
        <Button
          component="a"
          href={toArchiveAddress(database.id, input)}
          download
          variant="default"
          size="xs"
          leftSection={<IconDownload size={15} />}
        >
          Download all
        </Button>
      </div>
      {code.isPending ? WAITING : null}
      <QueryErrorNotice title="Couldn’t generate the code" query={code} />
      {code.data && search.changes === true ? (
        <CodeChanges database={database} input={input} code={code.data} />
      ) : null}
      {code.data && search.changes !== true ? (
        <Later instead={WAITING}>
          <CodeFiles code={code.data} chosen={search.file} onChoose={(file) => onChange({ file })} />
        </Later>
      ) : null}
    </div>
  );
}
