import { Link, useParams } from '@tanstack/react-router';

/**
 * Links a response of the data API to its line in the log, which appears within five seconds. Shows nothing
 * outside of a project.
 */
export function LogLink({ requestId }: { requestId: string | null }) {
  const { projectId, environment } = useParams({ strict: false });
  if (requestId === null || projectId === undefined || environment === undefined) return null;
  return (
    <Link
      to="/projects/$projectId/$environment/logs"
      params={{ projectId, environment }}
      search={{ request: requestId }}
    >
      View in logs
    </Link>
  );
}
