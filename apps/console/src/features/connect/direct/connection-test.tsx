import { Button } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { Tag } from '../../../ui/layout/tag.js';
import type { TestFinding } from './describe-test.js';
import classes from '../connect.module.css';

interface ConnectionTestProps {
  /** Runs the connection test and returns its result. */
  readonly run: () => Promise<TestFinding>;
}

/** A button that tests a connection and shows the result. */
export function ConnectionTest({ run }: ConnectionTestProps) {
  const test = useMutation({ mutationFn: run });
  return (
    <div className={classes.test}>
      <div>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} />}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Test the connection
        </Button>
      </div>
      {test.isError ? <ErrorNotice title="Couldn’t test the connection" error={test.error} /> : null}
      <TestFound found={test.isPending ? undefined : test.data} />
    </div>
  );
}

/** Shows the result of a test. Screen readers announce it. */
export function TestFound({ found }: { found: TestFinding | undefined }) {
  return (
    <div role="status" aria-label="Connection test" className={classes.found}>
      {found === undefined ? null : (
        <>
          <Tag dot tone={found.tone}>
            {found.label}
          </Tag>{' '}
          <span>{found.text}</span>
        </>
      )}
    </div>
  );
}
