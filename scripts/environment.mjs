// A project may have environment variables in the file .env, such as the port of the suite and the database that its commands are for.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PROJECT } from './prepare.mjs';

const FILE = join(PROJECT, '.env');

/** Of Node, for a process that has them. */
export function environmentArguments() {
  return existsSync(FILE) ? [`--env-file=${FILE}`] : [];
}

/** For this process. Those that it has already come first. */
export function readEnvironment() {
  // Node 20.0 to 20.11 lack it
  if (existsSync(FILE)) process.loadEnvFile?.(FILE);
}

/** The base URL of the suite that runs here. */
export function suiteUrl() {
  const { SUITE_URL, PORT } = process.env;
  return SUITE_URL || `http://localhost:${PORT || 3000}`;
}

/** The key of the demo with most scopes of a module; undefined without a demo. */
export function demoKey(module, mode = 'test') {
  const own = demo().keys.filter((key) => key.module === module && key.mode === mode && key.project_id === null);
  return own.sort((one, other) => other.scopes.length - one.scopes.length).at(0)?.secret;
}

/** The owner of the demo; undefined without one. */
export function demoOwner() {
  return demo().members.find(({ role }) => role === 'owner');
}

/** What a start in development wrote about the demo. */
function demo() {
  try {
    return JSON.parse(readFileSync(join(resolve(PROJECT, process.env.DATA_DIR || '.data'), 'demo.json'), 'utf8'));
  } catch {
    return { keys: [], members: [] };
  }
}
