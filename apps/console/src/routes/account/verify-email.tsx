import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useVerifyEmail } from '../../data/account/mutations.js';
import { AuthFrame } from '../../features/session/auth-frame.js';
import classes from '../../features/session/session-form.module.css';
import { ErrorNotice } from '../../ui/notices/error-notice.js';

const route = getRouteApi('/verify/$token');

/**
 * The page that confirms an email address. It requires a click, because mail programs open each link in an
 * email.
 */
export function VerifyEmailScreen() {
  const { token } = route.useParams();
  const verify = useVerifyEmail();
  return (
    <AuthFrame title="Verify your email" lead="Confirm that this address is yours.">
      {verify.isSuccess ? (
        <p role="status">
          Your email is verified. <Link to="/projects">Go to your projects</Link>
        </p>
      ) : (
        <div className={classes.form}>
          {verify.isError ? (
            <ErrorNotice title="Couldn’t verify your email" error={verify.error}>
              You can request a new email in your account.
            </ErrorNotice>
          ) : null}
          <Button size="md" loading={verify.isPending} onClick={() => verify.mutate(token)}>
            Verify email
          </Button>
        </div>
      )}
    </AuthFrame>
  );
}
