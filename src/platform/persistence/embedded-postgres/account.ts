import { spawnSync } from 'node:child_process';
import { chownSync, readFileSync, statSync } from 'node:fs';

/** The operating system user that PostgreSQL runs as; undefined for the current user. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

/**
 * PostgreSQL refuses to run as root. Root therefore runs it as the owner of the data or, for new data, as `nobody`: a created user
 * would remain on the machine after the checkout is deleted.
 */
export function postgresAccount(clusterDir: string): Account {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody();
}

export function give(path: string, account: Account): void {
  if (account) chownSync(path, account.uid, account.gid);
}

/** Whether the account can enter the folder. It is tried, because mode bits are not the only rule. */
export function canEnter(folder: string, account: Account): boolean {
  if (!account) return true;
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}

function nobody(): { uid: number; gid: number } {
  const entry = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(-?\d+):(-?\d+):/m);
  // macOS writes nobody's ids as -2.
  return { uid: Number(entry?.[1] ?? 65_534) >>> 0, gid: Number(entry?.[2] ?? 65_534) >>> 0 };
}
