import { Link, useNavigate } from '@tanstack/react-router';
import { AuthFrame } from '../features/session/auth-frame.js';
import { SignUpForm } from '../features/session/sign-up-form.js';
import classes from '../features/session/session-form.module.css';

/** Ends in the new project's overview, where the first key and a call to try wait. */
export function SignUpScreen() {
  const navigate = useNavigate();
  return (
    <AuthFrame title="Create your account" lead="Two fields, and your first API answers.">
      <SignUpForm onDone={(answer) => void navigate({ to: '/projects/$projectId', params: { projectId: answer.project.id }, replace: true })} />
      <p className={classes.other}>
        Have an account? <Link to="/login">Sign in</Link>
      </p>
    </AuthFrame>
  );
}
