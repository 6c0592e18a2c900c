/**
 * Lists the ports that the processes of one installation listen on.
 * @param {import('./start-product.mjs').StartProductOptions} options
 * @returns {import('../data-folder/choose-ports.mjs').PortRequest[]}
 */
export function listRequestedPorts(options) {
  return [
    { name: 'control', requested: options.controlPort, usual: 4000 },
    { name: 'gateway', requested: options.gatewayPort, usual: 4100 },
    ...[
      'mysql',
      'mysql_admin',
      'platform',
      'redis',
      'control_metrics',
      'worker_metrics',
      'gateway_metrics',
    ].map((name) => ({ name, requested: undefined })),
    ...listGatewayNames(options)
      .slice(1)
      .flatMap((name) => [
        { name, requested: name === 'gateway_2' ? options.secondGatewayPort : undefined },
        { name: `${name}_metrics`, requested: undefined },
      ]),
    ...(options.workers === 2 ? [{ name: 'worker_2_metrics', requested: undefined }] : []),
  ];
}

/**
 * @param {import('../data-folder/installation.mjs').InstallationState} state
 * @param {string} name the name of a port
 */
export function formatLocalUrl(state, name) {
  return `http://127.0.0.1:${state.ports[name]}`;
}

/**
 * @param {import('./start-product.mjs').StartProductOptions} options
 * @param {import('../data-folder/installation.mjs').InstallationState} state
 */
export function listGatewayUrls(options, state) {
  return listGatewayNames(options).map((name) => formatLocalUrl(state, name));
}

/** @param {import('./start-product.mjs').StartProductOptions} options */
export function listGatewayNames(options) {
  return ['gateway', 'gateway_2', 'gateway_3'].slice(0, options.gateways ?? 1);
}

/** @param {import('./start-product.mjs').StartProductOptions} options */
export function listWorkerNames(options) {
  return options.workers === 2 ? ['worker', 'worker_2'] : ['worker'];
}
