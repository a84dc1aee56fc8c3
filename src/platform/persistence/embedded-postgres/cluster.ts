import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { give } from './account.js';
import type { Binaries } from './binaries.js';
import { pointsTo, type ClusterLocation } from './cluster-location.js';
import { isAlive } from './processes.js';

export const SUPERUSER = 'work_suite';
const MAJOR_VERSION = '18';

/** Creates the cluster if it does not exist. An interrupted attempt leaves only a draft, which the next start removes. */
export async function ensureCluster(location: ClusterLocation, dataDir: string, binaries: Binaries, password: string): Promise<void> {
  const link = join(dataDir, 'postgres');
  removeAbandonedDrafts(location);
  if (!isWhole(location.cluster)) {
    // A checkout that was moved into a folder that its database user may not enter still contains its data.
    if (isWhole(link)) renameSync(link, location.cluster);
    else await initialise(location, binaries, password);
  }
  const version = readFileSync(join(location.cluster, 'PG_VERSION'), 'utf8').trim();
  if (version !== MAJOR_VERSION) {
    throw new Error(`${location.cluster} was created by PostgreSQL ${version}, which ${MAJOR_VERSION} cannot read: dump and restore it.`);
  }
  linkFrom(link, location);
}

/** Without pg_control a folder contains no data: it is the rest of an unfinished attempt. */
function isWhole(cluster: string): boolean {
  return existsSync(join(cluster, 'global', 'pg_control'));
}

/** Works in a draft folder and renames it, so that the cluster's folder is either complete or missing. */
async function initialise(location: ClusterLocation, binaries: Binaries, password: string): Promise<void> {
  const draft = `${location.cluster}.draft-${process.pid}-${randomBytes(4).toString('hex')}`;
  const passwordFile = `${draft}.password`;
  try {
    mkdirSync(draft, { mode: 0o700 });
    give(draft, location.account);
    writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' });
    give(passwordFile, location.account);
    await runInitdb(location, binaries, draft, passwordFile);
    if (existsSync(location.cluster) && !isWhole(location.cluster)) rmSync(location.cluster, { recursive: true });
    renameSync(draft, location.cluster);
  } catch (error) {
    // Two processes may do this at once; both use the cluster of the first one to rename.
    if (!isWhole(location.cluster)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  }
}

function runInitdb(location: ClusterLocation, binaries: Binaries, pgdata: string, passwordFile: string): Promise<void> {
  const args = [
    `--pgdata=${pgdata}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    // The builtin provider sorts alike on every machine, whatever locales are installed.
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(binaries.initdb, args, { ...location.account, cwd: location.home, env: cleanEnvironment() });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`initdb failed:\n${output.trim()}`))));
  });
}

/** The programs must not inherit PGDATA, PGPORT, the locale or secrets of this process. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line local/no-restricted-syntax -- not a setting: the system's search path for programs
  const { PATH, SystemRoot } = process.env;
  return { PATH, ...(SystemRoot && { SystemRoot }), LC_ALL: 'C', TZ: 'UTC' };
}

function removeAbandonedDrafts({ home, cluster }: ClusterLocation): void {
  const draft = new RegExp(`^${basename(cluster)}\\.draft-(\\d+)-`);
  for (const name of readdirSync(home)) {
    const maker = draft.exec(name)?.[1];
    if (maker && Number(maker) !== process.pid && !isAlive(Number(maker))) {
      rmSync(join(home, name), { recursive: true, force: true });
    }
  }
}

function linkFrom(link: string, { cluster }: ClusterLocation): void {
  if (link === cluster || pointsTo(link, cluster)) return;
  if (isWhole(link)) throw new Error(`Both ${link} and ${cluster} contain a database; move one of them away.`);
  rmSync(link, { recursive: true, force: true });
  try {
    symlinkSync(cluster, link);
  } catch (error) {
    if (!pointsTo(link, cluster)) throw error;
  }
}
