import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useVerifyEmail } from '../../data/account/mutations.js';
import { AuthFrame } from '../../features/session/auth-frame.js';
import classes from '../../features/session/session-form.module.css';
import { ErrorNotice } from '../../ui/notices/error-notice.js';

const route = getRouteApi('/verify/$token');

/** Requires a click, because mail programs visit every link. */
export function VerifyEmailScreen() {
  const { token } = route.useParams();
  const verify = useVerifyEmail();
  return (
    <AuthFrame title="Confirm your address" lead="One click, and the address is yours.">
      {verify.isSuccess ? (
        <p role="status">
          Your address is confirmed. <Link to="/projects">To your projects</Link>
        </p>
      ) : (
        <div className={classes.form}>
          {verify.isError ? (
            <ErrorNotice title="The address was not confirmed" error={verify.error}>
              A new mail can be asked for in your account.
            </ErrorNotice>
          ) : null}
          <Button size="md" loading={verify.isPending} onClick={() => verify.mutate(token)}>
            Confirm
          </Button>
        </div>
      )}
    </AuthFrame>
  );
}
