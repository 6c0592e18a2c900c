#!/usr/bin/env node
/**
 * The entry point of the CLI `rowhouse`, a client of the control API and the data API without runtime
 * dependencies. It must not access databases, or contain rules that the control plane has to enforce.
 */
import { runCli } from './run-cli.js';
import { createCliEnvironment } from './cli-environment.js';

process.exitCode = await runCli(process.argv.slice(2), createCliEnvironment());
