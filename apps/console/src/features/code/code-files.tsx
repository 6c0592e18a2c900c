import type { CodeResponse } from '@rowhouse/contracts';
import { CodeBlock } from '../../ui/code/code-block.js';
import { Tag } from '../../ui/layout/tag.js';
import classes from './code.module.css';

interface CodeFilesProps {
  readonly code: CodeResponse;
  readonly chosen: string | undefined;
  readonly onChoose: (path: string) => void;
}

/** Lists the files of the generated code and shows the selected one. */
export function CodeFiles({ code, chosen, onChoose }: CodeFilesProps) {
  const file =
    code.files.find((candidate) => candidate.path === chosen) ??
    code.files.find(
      (candidate) => candidate.owner === 'generated' && !/__init__|base\./.test(candidate.path),
    ) ??
    code.files[0];
  return (
    <div className={classes.columns}>
      <nav aria-label="Files" className={classes.files}>
        {code.files.map((entry) => (
          <button
            key={entry.path}
            type="button"
            className={classes.file}
            aria-current={entry.path === file?.path ? 'true' : undefined}
            onClick={() => onChoose(entry.path)}
          >
            {entry.path}
          </button>
        ))}
      </nav>
      {file === undefined ? null : (
        <div className={classes.column}>
          <div className={classes.head}>
            <h2 className="rh-mono">{file.path}</h2>
            {file.owner === 'own' ? <Tag tone="harbour">editable</Tag> : <Tag>generated</Tag>}
          </div>
          <CodeBlock
            code={file.text}
            language={code.language === 'python' ? 'python' : 'javascript'}
            label={file.path}
            heightMax={640}
          />
        </div>
      )}
    </div>
  );
}
