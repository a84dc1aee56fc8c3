import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ConfigError, Outbound, type FileStorage } from '../kit/index.js';
import { FILES_TARGET } from '../platform/files/files.module.js';
import { MoveFiles } from '../platform/files/move-files.js';
import { StorageOwner } from '../platform/files/storage-owner.js';
import { StoragePlace } from '../platform/files/storage-place.js';
import { poolOf } from '../platform/persistence/database/pool.js';
import { withApplication } from './cli-context.js';
import { runCommand, type Commands } from './command-line.js';

const USAGE = `Contents of files, for operators: in the database, or in the storage of STORAGE_URL.

  work-suite storage status
  work-suite storage migrate
  work-suite storage claim

status
  Shows where files are, and what waits to be deleted in the storage. The exit code is 1 if some are not where they are to be kept.
migrate
  Moves all of them there, beside the running suite: to the storage, or with STORAGE_TARGET=database back to the database. Each is compared
  with its hash before the source is given up. A run that was interrupted is continued by the next one.
claim
  Makes this database the one that deletes files in the storage: one that takes the place of the database that it was copied from.`;

const COMMANDS = {
  status: { options: {}, run: () => withApplication((app) => status(app)) },
  migrate: { options: {}, run: () => withApplication((app) => migrate(app)) },
  claim: { options: {}, run: () => withApplication((app) => claim(app)) },
} satisfies Commands;

/** Runs the command that the arguments name. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, args);
}

interface Share {
  location: string | null;
  files: number;
  bytes: number;
}

async function status(app: INestApplicationContext): Promise<void> {
  const storage = await app.get(StoragePlace).storage();
  const target = storage && app.get<string>(FILES_TARGET) === 'storage' ? storage.location : null;
  const pool = poolOf(app.get(DataSource));
  const { rows } = await pool.query<Share>(
    `SELECT CASE WHEN bytes IS NULL THEN location END AS location, count(*) AS files, sum(size)::bigint AS bytes
     FROM objects GROUP BY 1 ORDER BY 1 NULLS FIRST`,
  );
  console.log(`Files are kept in ${target ?? 'the database'}.`);
  for (const { location, files, bytes } of rows) console.log(`${location ?? 'The database'}: ${files} files, ${bytes} bytes`);
  const { rows: removals } = await pool.query<{ location: string; files: number }>(
    'SELECT location, count(*) AS files FROM object_removals GROUP BY location ORDER BY location',
  );
  for (const { location, files } of removals) console.log(`${location}: ${files} wait to be deleted`);
  const left = rows.reduce((sum, { location, files }) => (location === target ? sum : sum + files), 0);
  console.log(left === 0 ? 'All files are there.' : `${left} files are elsewhere: work-suite storage migrate moves them.`);
  if (left > 0) process.exitCode = 1;
}

async function migrate(app: INestApplicationContext): Promise<void> {
  await storageOf(app);
  const target = app.get<'storage' | 'database'>(FILES_TARGET);
  if (target === 'storage' && !app.get(Outbound).isOpen)
    throw new ConfigError('OUTBOUND is off, or the database is a copy: nothing is moved to a storage that may be that of the original.');
  const { moved, failed, reason } = await app.get(MoveFiles).all(target);
  console.log(`Moved ${moved} files.`);
  if (failed > 0) console.error(`${failed} could not be moved, and the next run tries again; the last because of: ${reason}`);
  await status(app);
}

async function claim(app: INestApplicationContext): Promise<void> {
  const storage = await storageOf(app);
  await app.get(StorageOwner).claim(storage);
  console.log(`This database deletes files in ${storage.location} from now on.`);
}

async function storageOf(app: INestApplicationContext): Promise<FileStorage> {
  const storage = await app.get(StoragePlace).storage();
  if (!storage) throw new ConfigError('STORAGE_URL is not set, so all files are in the database.');
  return storage;
}
