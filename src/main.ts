import 'reflect-metadata';
import { ConfigError } from './platform/config/config-error.js';
import { loadConfig } from './platform/config/config.js';
import { start } from './start.js';

try {
  await start(loadConfig());
} catch (error) {
  // a reason that the operator can mend is one sentence; anything else is a fault and shows where it happened
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
