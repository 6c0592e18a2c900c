#!/usr/bin/env node
/**
 * Owns the command line `rowhouse`: a client of the control API and of the data API, without a dependency at run time.
 * Must not know databases, nor hold a rule that the control plane has to keep.
 */
import { runCli } from './run-cli.js';
import { createWorld } from './world.js';

process.exitCode = await runCli(process.argv.slice(2), createWorld());
