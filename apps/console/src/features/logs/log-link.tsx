import { Link, useParams } from '@tanstack/react-router';

/**
 * A link to the request's line in the log, which appears within five seconds after the response. Shows
 * nothing outside of a project.
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
