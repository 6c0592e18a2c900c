import type { LoginRequest } from '@rowhouse/contracts';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest, setCsrfToken } from '../client/send-request.js';
import { forgetSecrets } from '../keys/key-vault.js';

/** Signs in with the password. Fails with `auth.second_factor_required` if a code is needed too. */
export function useLogin() {
  return useSignIn((request: LoginRequest) =>
    sendRequest<{ csrf_token: string }>('POST', '/api/auth/login', request),
  );
}

/** Finishes a sign-in with a code of the authenticator app or a recovery code. */
export function useSecondFactor() {
  return useSignIn((code: string) =>
    sendRequest<{ csrf_token: string }>('POST', '/api/auth/second-factor', { code }),
  );
}

/** Signs in with a passkey that the user picks in the browser. */
export function usePasskeySignIn() {
  return useSignIn(async (_unused: undefined) => {
    const { signWithPasskey } = await import('./web-authn.js');
    const optionsJSON = await sendRequest<PublicKeyCredentialRequestOptionsJSON>(
      'POST',
      '/api/auth/passkey/options',
      {},
    );
    const response = await signWithPasskey(optionsJSON);
    return sendRequest<{ csrf_token: string }>('POST', '/api/auth/passkey', { response });
  });
}

/** Returns a mutation that signs in, and then forgets the data and keys of the previous session. */
function useSignIn<Input>(send: (input: Input) => Promise<{ csrf_token: string }>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (response) => {
      queryClient.clear();
      forgetSecrets();
      setCsrfToken(response.csrf_token);
    },
  });
}
