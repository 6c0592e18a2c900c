// @ts-check
/**
 * Runs the official conformance suites of MCP on both servers, over both transports, in every revision that
 * the suites know.
 */
import { startBearerProxy } from '../../mcp/bearer-proxy.mjs';
import { judgeChecks } from '../../mcp/judge-checks.mjs';
import { findVersion, runConformance } from '../../mcp/run-conformance.mjs';
import { projectsOf, rowsOf, startStdioFront } from '../../mcp/stdio-front.mjs';
import { signUp } from '../../support/control.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { runSuite } from '../lib/run-suite.mjs';

/** @type {readonly { suite: 'conformance-2025' | 'conformance-2026', revision: string }[]} */
const RUNS = [
  { suite: 'conformance-2025', revision: '2025-06-18' },
  { suite: 'conformance-2025', revision: '2025-11-25' },
  { suite: 'conformance-2026', revision: '2025-11-25' },
  { suite: 'conformance-2026', revision: '2026-07-28' },
];

await runSuite(() =>
  withProduct({ gateways: 1 }, async (product) => {
    const user = await signUp(product.control, { name: 'mcp' });
    const token = (await user.control.call('POST', '/api/tokens', { name: 'conformance' })).json.token;
    const [gateway = ''] = product.gateways;
    const servers = [
      { server: 'gateway', url: gateway, bearer: user.key, stdio: rowsOf(gateway, user.key) },
      {
        server: 'control plane',
        url: product.control,
        bearer: token,
        stdio: projectsOf(product.control, token),
      },
    ];
    const figures = [];
    for (const { server, url, bearer, stdio } of servers) {
      for (const transport of /** @type {const} */ (['http', 'stdio'])) {
        const front =
          transport === 'http' ? await startBearerProxy(`${url}/mcp`, bearer) : await startStdioFront(stdio);
        for (const run of RUNS) {
          const { passed, failed, notHere } = judgeChecks(await runConformance({ ...run, url: front.url }), {
            transport,
          });
          for (const check of failed) console.log(JSON.stringify({ server, transport, ...run, ...check }));
          figures.push({
            server,
            transport,
            ...run,
            passed: passed.length,
            failed: failed.length,
            not_applicable: notHere.length,
            scenarios: [...new Set(passed.map((check) => check.scenario))],
          });
        }
        await front.close();
      }
    }
    return {
      suite: 'mcp',
      title: 'The official conformance suites of MCP',
      command: 'pnpm test:long mcp',
      seed: null,
      engines: { [product.mysql.engine]: product.mysql.version },
      skips: [],
      claims: figures.map(({ server, transport, suite, revision, passed, failed }) => ({
        claim: `${server}, ${transport}, revision ${revision}, suite ${findVersion(suite)}`,
        holds: failed === 0 && passed > 0,
        found: `${passed} checks passed, ${failed} failed`,
      })),
      notes: [
        'Only scenarios that apply to any server with tools count. The others need tools, resources and prompts that only a server written for the suite has. Over stdio, scenarios about statuses and headers of HTTP do not count either. `e2e/mcp/judge-checks.mjs` lists both.',
      ],
      figures: { runs: figures },
    };
  }),
);
