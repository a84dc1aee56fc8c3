import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { give } from './account.js';
import type { Binaries } from './binaries.js';
import { pointsTo, type Place } from './place.js';
import { isAlive } from './processes.js';

export const SUPERUSER = 'work_suite';
const MAJOR_VERSION = '18';

/** Makes the cluster unless it is there. An interrupted attempt leaves only a draft, which the next start removes. */
export async function ensureCluster(place: Place, dataDir: string, binaries: Binaries, password: string): Promise<void> {
  const link = join(dataDir, 'postgres');
  removeAbandonedDrafts(place);
  if (!isWhole(place.cluster)) {
    // A clone that was moved below a folder its database user may not enter brings its data inside.
    if (isWhole(link)) renameSync(link, place.cluster);
    else await initialise(place, binaries, password);
  }
  const version = readFileSync(join(place.cluster, 'PG_VERSION'), 'utf8').trim();
  if (version !== MAJOR_VERSION) {
    throw new Error(`${place.cluster} was made by PostgreSQL ${version}, which ${MAJOR_VERSION} cannot read: dump it first.`);
  }
  linkFrom(link, place);
}

/** Without pg_control a folder holds no data: it is the rest of something that never finished. */
function isWhole(cluster: string): boolean {
  return existsSync(join(cluster, 'global', 'pg_control'));
}

/** Works in a draft folder and renames it, so that the cluster's folder is either whole or not there. */
async function initialise(place: Place, binaries: Binaries, password: string): Promise<void> {
  const draft = `${place.cluster}.draft-${process.pid}-${randomBytes(4).toString('hex')}`;
  const passwordFile = `${draft}.password`;
  try {
    mkdirSync(draft, { mode: 0o700 });
    give(draft, place.account);
    writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' });
    give(passwordFile, place.account);
    await runInitdb(place, binaries, draft, passwordFile);
    if (existsSync(place.cluster) && !isWhole(place.cluster)) rmSync(place.cluster, { recursive: true });
    renameSync(draft, place.cluster);
  } catch (error) {
    // Two processes may do this at once; the first to rename has made the cluster that both use.
    if (!isWhole(place.cluster)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
}

function runInitdb(place: Place, binaries: Binaries, pgdata: string, passwordFile: string): Promise<void> {
  const args = [
    `--pgdata=${pgdata}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    // The builtin provider sorts the same on every machine, whatever locales are installed.
    ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    '--no-instructions',
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(binaries.initdb, args, { ...place.account, cwd: place.home, env: cleanEnvironment() });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`initdb failed:\n${output.trim()}`))));
  });
}

/** The caller's PGDATA, PGPORT and locale must not reach the programs, and its secrets need not. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  // eslint-disable-next-line no-restricted-syntax -- no setting of ours: what the system finds programs by
  const { PATH, SystemRoot } = process.env;
  return { PATH, ...(SystemRoot && { SystemRoot }), LC_ALL: 'C', TZ: 'UTC' };
}

function removeAbandonedDrafts({ home, cluster }: Place): void {
  const draft = new RegExp(`^${basename(cluster)}\\.draft-(\\d+)-`);
  for (const name of readdirSync(home)) {
    const maker = draft.exec(name)?.[1];
    if (maker && Number(maker) !== process.pid && !isAlive(Number(maker))) {
      rmSync(join(home, name), { recursive: true, force: true });
    }
  }
}

function linkFrom(link: string, { cluster }: Place): void {
  if (link === cluster || pointsTo(link, cluster)) return;
  if (isWhole(link)) throw new Error(`Both ${link} and ${cluster} hold a database; move the one away that is not wanted.`);
  rmSync(link, { recursive: true, force: true });
  try {
    symlinkSync(cluster, link);
  } catch (error) {
    if (!pointsTo(link, cluster)) throw error;
  }
}
