import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canEnter, postgresAccount, type Account } from './account.js';

/** Where a cluster is stored and which user runs it. */
export interface ClusterLocation {
  /** Contains the cluster and, if node_modules cannot be used, a copy of the binaries. */
  readonly home: string;
  readonly cluster: string;
  readonly account: Account;
}

// /tmp may be emptied by a reboot, so it comes last.
const SHARED_HOMES = ['/var/lib/work-suite', join(tmpdir(), 'work-suite'), '/tmp/work-suite'];

/**
 * The cluster is <dataDir>/postgres, except if root uses a folder that the database user may not enter (a checkout in a 0700 /root):
 * then it is stored elsewhere, and <dataDir>/postgres is a link to it.
 */
export function findClusterLocation(dataDir: string): ClusterLocation {
  const link = join(dataDir, 'postgres');
  const linked = linkTarget(link);
  const cluster = linked ?? link;
  const account = postgresAccount(cluster);
  if (linked) return { home: dirname(linked), cluster: linked, account };
  if (canEnter(dataDir, account)) return { home: dataDir, cluster, account };

  const home = join(sharedHome(account), createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
  makePassable(home);
  return { home, cluster: join(home, 'postgres'), account };
}

/** The link's target, if it exists. */
function linkTarget(path: string): string | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

export function pointsTo(link: string, target: string): boolean {
  return lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true && readlinkSync(link) === target;
}

function sharedHome(account: Account): string {
  const home = SHARED_HOMES.find((candidate) => {
    try {
      makePassable(candidate);
    } catch {
      return false;
    }
    return canEnter(candidate, account);
  });
  if (!home) throw new Error(`The embedded PostgreSQL has no folder that it may use: tried ${SHARED_HOMES.join(', ')}.`);
  return home;
}

/** Creates the folder regardless of the umask; rejects one that another user prepared, because root runs programs in it. */
function makePassable(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { uid, mode } = lstatSync(folder);
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${folder} can be written to by other users.`);
  chmodSync(folder, 0o711);
}
