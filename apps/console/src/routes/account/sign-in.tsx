import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { AuthFrame } from '../../features/session/auth-frame.js';
import { SignInForm } from '../../features/session/sign-in-form.js';
import classes from '../../features/session/session-form.module.css';

const route = getRouteApi('/login');

export function SignInScreen() {
  const { next, deleted } = route.useSearch();
  const router = useRouter();
  return (
    <AuthFrame title="Sign in" lead={deleted === true ? 'Your account was deleted.' : 'Welcome back.'}>
      <SignInForm onDone={() => router.history.push(next ?? '/projects')} />
      <p className={classes.other}>
        <Link to="/forgot">Forgot your password?</Link>
        <br />
        New here?{' '}
        <Link to="/signup" search={next === undefined ? {} : { next }}>
          Create an account
        </Link>
      </p>
    </AuthFrame>
  );
}
