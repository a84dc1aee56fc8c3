import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A fresh DATA_DIR. Open to enter, as mkdtemp's is not: run by root, the embedded server would otherwise put its data
 * outside, where removing the folder does not reach it.
 */
export function newDataDir(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `work-suite-${purpose}-`));
  chmodSync(folder, 0o755);
  return folder;
}
