import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppConfig } from './platform/config/settings.js';

/** Writes the file from which `npm run demo:reset` reads which process to stop. */
export function writePidFile(config: AppConfig): void {
  mkdirSync(config.dataDir, { recursive: true });
  writeFileSync(pidFile(config), `${process.pid}\n`);
}

/** Does not remove the file of another process: two may share a folder and use different databases. */
export function removePidFile(config: AppConfig): void {
  const file = pidFile(config);
  if (existsSync(file) && readFileSync(file, 'utf8').trim() === String(process.pid)) rmSync(file);
}

function pidFile({ dataDir }: AppConfig): string {
  return join(dataDir, 'server.pid');
}
