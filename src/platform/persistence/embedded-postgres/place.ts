import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readlinkSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canEnter, postgresAccount, type Account } from './account.js';

/** Where a cluster lives and who runs it. */
export interface Place {
  /** Holds the cluster and, where node_modules cannot be used, a copy of the binaries. */
  readonly home: string;
  readonly cluster: string;
  readonly account: Account;
}

// /tmp may be emptied by a reboot, so it comes last.
const SHARED_HOMES = ['/var/lib/work-suite', join(tmpdir(), 'work-suite'), '/tmp/work-suite'];

/**
 * The cluster is <dataDir>/postgres, except for root below a folder that the stand-in user may not enter (a clone in a 0700
 * /root): there it lies outside, and <dataDir>/postgres is a link to it.
 */
export function findPlace(dataDir: string): Place {
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

/** The link's target, if that is still there. */
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
  if (!home) throw new Error(`The embedded PostgreSQL found no folder that it may use: tried ${SHARED_HOMES.join(', ')}.`);
  return home;
}

/** Makes the folder whatever the umask; refuses one that somebody else prepared, since root runs what lies in it. */
function makePassable(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { uid, mode } = lstatSync(folder);
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${folder} can be written to by other users.`);
  chmodSync(folder, 0o711);
}
