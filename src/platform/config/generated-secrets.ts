import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Reads the secret `name` from DATA_DIR/secrets.json, and creates it at the first call. */
export function generatedSecret(dataDir: string, name: string): string {
  const path = join(dataDir, 'secrets.json');
  const stored = JSON.parse(createOnce(path, () => JSON.stringify({ [name]: randomSecret() })).toString()) as Record<string, string>;
  if (stored[name]) return stored[name];

  const completed = { ...stored, [name]: randomSecret() };
  const draft = writeDraft(path, JSON.stringify(completed));
  renameSync(draft, path);
  return completed[name] as string;
}

export function randomSecret(): string {
  return randomBytes(32).toString('hex');
}

/** Returns the file's content; creates the file first, readable only by its owner, if no process has done so before. */
export function createOnce(path: string, content: () => string | Buffer): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(dirname(path), { recursive: true });
  const draft = writeDraft(path, content());
  try {
    // A link is created atomically and never replaces another process's file.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path);
}

function writeDraft(path: string, content: string | Buffer): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
  return draft;
}
