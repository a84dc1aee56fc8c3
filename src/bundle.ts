import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DIST = join(import.meta.dirname, '..');
/** The name of the last bundle's folder. Missing if the rest of dist is newer than the bundle. */
const CURRENT = join(DIST, 'bundle', 'current');
const IN_USE = join(DIST, 'in-use');
/** Where the suite is built; an installed package has none. */
const BUILT_HERE = join(DIST, '.work-suite-build');

/**
 * The folder of the bundle, null if there is none. This process loads parts of it later, so a file says that it uses the folder:
 * builds keep the folders of running processes (scripts/prepare.mjs).
 */
export function bundleFolder(): string | null {
  for (let id = current(); id !== null;) {
    markInUse(id);
    // a build may have removed the folder before it was marked
    const now = current();
    if (now === id) return join(DIST, 'bundle', id);
    id = now;
  }
  return null;
}

function current(): string | null {
  try {
    return readFileSync(CURRENT, 'utf8');
  } catch {
    return null;
  }
}

function markInUse(id: string): void {
  try {
    if (!existsSync(BUILT_HERE)) return;
    mkdirSync(IN_USE, { recursive: true });
    writeFileSync(join(IN_USE, String(process.pid)), id);
  } catch {
    // a read-only installation has no builds
  }
}
