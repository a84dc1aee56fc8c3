import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Store } from '../kit/index.js';
import { platformSql } from '../kit/internal.js';
import { loadConfig } from '../platform/config/config.js';
import { changeInstallation } from '../platform/audit/installation-log.js';
import { confirmDatabase, isUnconfirmedCopy } from '../platform/outbound/database-identity.js';
import { poolOf } from '../platform/persistence/database/pool.js';
import { withServices } from './cli-context.js';
import { loadSuite } from '../suite/load-suite.js';
import { runCommand, type Commands } from './command-line.js';

const USAGE = `What leaves the installation: webhooks, mails and AI calls, for operators.

  work-suite outbound status
  work-suite outbound release

status
  Shows whether the database is a copy that is held back, and what waits to be sent. The exit code is 1 if it is held back.
release
  Confirms that this database takes the place of the one that it was copied from. Running processes send what waits within seconds, unless
  they were started with OUTBOUND=off.`;

const COMMANDS = {
  status: { options: {}, run: () => withServices(status) },
  release: { options: {}, run: () => withServices(release) },
} satisfies Commands;

/** Runs the command that the arguments name. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, args);
}

async function status(services: INestApplicationContext): Promise<void> {
  const dataSource = services.get(DataSource);
  const isHeld = await isUnconfirmedCopy(poolOf(dataSource));
  console.log(isHeld ? 'This database is a copy: nothing is sent until `work-suite outbound release`.' : 'This database is not held back.');
  if (loadConfig(undefined, { settings: (await loadSuite()).settings }).outbound === 'off')
    console.log('Processes with OUTBOUND=off, as here, send nothing.');
  await reportWaiting(dataSource);
  if (isHeld) process.exitCode = 1;
}

async function release(services: INestApplicationContext): Promise<void> {
  const dataSource = services.get(DataSource);
  const pool = poolOf(dataSource);
  if (!(await isUnconfirmedCopy(pool))) return console.log('This database is not held back.');
  const record = { action: 'released', objectType: 'outbound', objectId: null };
  await changeInstallation(services.get(Store), record, (tx) => confirmDatabase({ query: (text) => tx.sql(platformSql(text)) }));
  console.log('This database is confirmed.');
  await reportWaiting(dataSource);
}

async function reportWaiting(dataSource: DataSource): Promise<void> {
  const { rows } = await poolOf(dataSource).query<{ deliveries: string; mails: string }>(
    `SELECT (SELECT count(*) FROM webhook_deliveries WHERE status IN ('ready', 'waiting')) AS deliveries,
       (SELECT count(*) FROM mails WHERE status = 'queued') AS mails`,
  );
  console.log(`Waiting to be sent: ${rows[0].deliveries} webhook deliveries, ${rows[0].mails} mails.`);
}
