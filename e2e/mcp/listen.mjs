// @ts-check
/**
 * @param {import('node:http').Server} server @param {string} path
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function listen(server, path) {
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve(undefined));
      }),
  };
}
