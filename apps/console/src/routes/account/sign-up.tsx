import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useOpenProject } from '../../features/projects/use-open-project.js';
import { AuthFrame } from '../../features/session/auth-frame.js';
import { SignUpForm } from '../../features/session/sign-up-form.js';
import classes from '../../features/session/session-form.module.css';
import { headingOf } from '../../first/page-headings.js';

const route = getRouteApi('/signup');
/** People with an invitation return to it. */
const INVITATION_PATH = /^\/invitations\/(\w{1,100})$/;

/** Other targets belong to other people, so a new account cannot continue there. */
const CLONE_PATH = /^\/clone\//;

/** Ends on the new project's overview with the first key and a call to try. */
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
