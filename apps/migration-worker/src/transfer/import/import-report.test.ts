import { expect, it } from 'vitest';
import { createImportReport } from './import-report.js';

it('the report of a dump with many problems is limited, and further problems are counted', () => {
  const report = createImportReport();
  for (let line = 1; line <= 5_000; line += 1) {
    report.problem(line, `object ${line}`, 'It cannot be read.');
    report.skipOther(line, `database ${line}`);
    report.leaveOut(line, `table ${line}`, 'It is not there', 2);
    report.count(`note ${line}`);
  }
  const { problems, problemsTotal, notes } = report.close();
  expect([problems[0], problemsTotal, notes.length]).toEqual([
    { line: 1, object: 'object 1', reason: 'It cannot be read.' },
    15_000,
    1_000,
  ]);
});

it('an unterminated text in a dump is reported only with its beginning', () => {
  const report = createImportReport();
  report.problem(1, 'x'.repeat(1_000_000), 'y'.repeat(1_000_000));
  expect(JSON.stringify(report.close()).length).toBeLessThan(3_000);
});
