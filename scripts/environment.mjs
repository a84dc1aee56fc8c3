// A project may have environment variables in the file .env, such as the port of the suite and the database that its commands are for.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
