import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sampleQuestionsQuery } from '../../data/query-runs/queries.js';
import classes from './query.module.css';

/** Suggests questions in an empty tab that are known to work here. Shows nothing when there are none. */
export function SampleQuestions({
  database,
  onTake,
}: {
  database: DatabaseResponse;
  onTake: (question: string) => void;
}) {
  const { data: samples = [], isPending } = useQuery(sampleQuestionsQuery(database));
  // Reserves space, so that the list below does not move on a phone when the questions appear.
  if (isPending) return <div className={classes.samplesSoon} />;
  if (samples.length === 0) return null;
  return (
    <section className={classes.samples} aria-label="Example questions">
      <p>Try one of these</p>
      <div className={classes.saidActions}>
        {samples.map((sample) => (
          <Button key={sample} size="compact-sm" variant="default" onClick={() => onTake(sample)}>
            {sample}
          </Button>
        ))}
      </div>
    </section>
  );
}
