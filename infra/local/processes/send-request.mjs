import { request } from 'node:http';

/**
 * Sends a request to a local process and reads the whole response. The launcher does not use
 * `fetch`, which needs 29 MB of memory.
 * @param {string} url begins with `http://`
 * @param {{method?: string, headers?: Record<string, string>, body?: string, timeoutMs: number}} options
 *   `timeoutMs` is for the request as a whole
 * @returns {Promise<{status: number, text: string, cookies: readonly string[]}>} `cookies` has the lines of
 *   `Set-Cookie`
 * @throws {Error} when there is no complete response in time
 */
export function sendRequest(url, { method = 'GET', headers = {}, body, timeoutMs }) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text, cookies: response.headers['set-cookie'] ?? [] }),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
