import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const LEAST_FREE_BYTES = 2 * 1024 ** 3;

/**
 * A new DATA_DIR. Other users may enter it, unlike a folder of mkdtemp: otherwise the embedded server of root would store its data
 * elsewhere, and removing the folder would not remove it.
 */
export function newDataDir(purpose: string, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, `work-suite-${purpose}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** In memory if possible: cloning a database takes 30 ms there and up to a second on a busy disk. */
export function newFastDataDir(purpose: string): string {
  if (!hasRoom(MEMORY)) return newDataDir(purpose);
  const folder = newDataDir(purpose, MEMORY);
  if (canExecute(folder)) return folder;
  rmSync(folder, { recursive: true });
  return newDataDir(purpose);
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= LEAST_FREE_BYTES;
  } catch {
    return false;
  }
}

/** Whether programs can run there: the embedded server may need a copy of its programs beside its data, and containers often mount
/dev/shm with noexec. */
function canExecute(folder: string): boolean {
  const program = join(folder, 'probe');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
