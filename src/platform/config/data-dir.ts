import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../../kit/index.js';

/**
 * Creates DATA_DIR, or throws the reason why it cannot be used. It creates one folder at a time because `mkdirSync` with `recursive`
 * never returns on file systems such as /proc, which report ENOENT for a folder that they cannot create.
 */
export function makeDataDir(dataDir: string): void {
  try {
    const missing: string[] = [];
    for (let folder = dataDir; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
    for (const folder of missing) mkdirSync(folder);
    if (!statSync(dataDir).isDirectory()) throw new Error('it is not a folder');
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be used: ${code === 'EACCES' ? 'this user may not write there' : message}.`);
  }
}
