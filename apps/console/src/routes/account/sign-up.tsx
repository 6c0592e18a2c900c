import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useOpenProject } from '../../features/projects/use-open-project.js';
import { AuthFrame } from '../../features/session/auth-frame.js';
import { SignUpForm } from '../../features/session/sign-up-form.js';
import classes from '../../features/session/session-form.module.css';
import { headingOf } from '../../first/page-headings.js';

const route = getRouteApi('/signup');
/** Matches the path of an invitation. A user who came from there returns to it after signing up. */
const INVITATION_PATH = /^\/invitations\/(\w{1,100})$/;

/**
 * Matches the path of a share link. Other pages belong to other accounts, so a new account is not sent back
 * to them.
 */
const CLONE_PATH = /^\/clone\//;

/**
 * The sign-up page. Afterwards, it opens the overview of the new project, with the first API key and an API
 * call to try.
 */
export function SignUpScreen() {
  const { next } = route.useSearch();
  const router = useRouter();
  const open = useOpenProject();
  const invitation = INVITATION_PATH.exec(next ?? '')?.[1];
  return (
    <AuthFrame {...headingOf('sign-up')}>
      <SignUpForm
        invitation={invitation}
        onDone={({ project, databases }, view) => {
          if (next !== undefined && CLONE_PATH.test(next)) router.history.replace(next);
          else open({ id: project.id, databases }, view, true);
        }}
      />
      <p className={classes.other}>
        Have an account?{' '}
        <Link to="/login" search={next === undefined ? {} : { next }}>
          Sign in
        </Link>
      </p>
    </AuthFrame>
  );
}
