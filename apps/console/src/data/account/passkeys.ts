import type { PasskeyItem, PasskeyOptionsRequest } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { fetchAll } from '../client/fetch-all.js';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'] as const,
  queryFn: () => fetchAll<PasskeyItem>('/api/me/passkeys'),
});

/** Creates a passkey in the browser and stores it. The browser asks the user to confirm. */
export const useAddPasskey = () =>
  useChange(async ({ name, ...proof }: PasskeyOptionsRequest & { name: string }): Promise<PasskeyItem> => {
    const { createPasskey } = await import('../session/web-authn.js');
    const optionsJSON = await sendRequest<PublicKeyCredentialCreationOptionsJSON>(
      'POST',
      '/api/me/passkeys/options',
      proof,
    );
    const response = await createPasskey(optionsJSON);
    return sendRequest<PasskeyItem>('POST', '/api/me/passkeys', { name, response });
  }, passkeysQuery.queryKey);

export const useRenamePasskey = () =>
  useChange(
    ({ id, name }: { id: string; name: string }) =>
      sendRequest<PasskeyItem>('PATCH', `/api/me/passkeys/${id}`, { name }),
    passkeysQuery.queryKey,
  );

export const useRemovePasskey = () =>
  useChange(
    (id: string) => sendRequest<undefined>('DELETE', `/api/me/passkeys/${id}`),
    passkeysQuery.queryKey,
  );
