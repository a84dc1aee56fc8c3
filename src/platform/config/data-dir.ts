import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from './config-error.js';

/**
 * Makes DATA_DIR, or says why it cannot be used. Folder by folder: Node's own recursive way never ends where the file system
 * denies that a folder it was just asked to make is missing, as /proc does.
 */
export function makeDataDir(dataDir: string): void {
  try {
    const missing: string[] = [];
    for (let folder = dataDir; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
    for (const folder of missing) mkdirSync(folder);
    if (!statSync(dataDir).isDirectory()) throw new Error('it is no folder');
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be used: ${code === 'EACCES' ? 'this user may not write there' : message}.`);
  }
}
