import type { INestApplicationContext } from '@nestjs/common';
import { Store } from '../kit/index.js';
import { changeInstallation } from '../platform/audit/installation-log.js';
import { SecretRotation, type ColumnState } from '../platform/secrets/rotation.js';
import { withServices } from './cli-context.js';
import { runCommand, type Commands } from './command-line.js';

const USAGE = `Stored secrets, for operators.

  work-suite secrets status
  work-suite secrets rotate

status
  Shows by column how many secrets the first key of ENCRYPTION_KEYS encrypts, and how many are left to rotate. The exit code is 1 if some
  are left.
rotate
  Encrypts those again with the first key, beside the running suite. A run that was interrupted is continued by the next one. Afterwards
  the suite starts without the earlier keys.`;

const COMMANDS = {
  status: { options: {}, run: () => withServices(async (services) => report(await services.get(SecretRotation).states())) },
  rotate: { options: {}, run: () => withServices(rotate) },
} satisfies Commands;

/** Runs the command that the arguments name. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, args);
}

async function rotate(services: INestApplicationContext): Promise<void> {
  const rotation = services.get(SecretRotation);
  const columns = await rotation.rotate();
  const counts = Object.fromEntries(columns.map(({ table, column, rotated }) => [`${table}.${column}`, rotated]));
  const record = { action: 'rotated', objectType: 'encryption_key', objectId: null, after: counts };
  await changeInstallation(services.get(Store), record, async () => undefined);
  for (const { table, column, rotated, unreadable } of columns) {
    if (rotated > 0) console.log(`${table}.${column}: encrypted ${rotated} again`);
    if (unreadable > 0) console.log(`${table}.${column}: ${unreadable} cannot be decrypted with any of the keys and stay as they are`);
  }
  report(await rotation.states());
}

function report(states: readonly ColumnState[]): void {
  for (const { table, column, current, earlier } of states)
    if (current + earlier > 0) console.log(`${table}.${column}: ${current} encrypted with the first key, ${earlier} left`);
  const left = states.reduce((sum, { earlier }) => sum + earlier, 0);
  console.log(left === 0 ? 'Nothing needs an earlier key.' : `${left} secrets still use an earlier key. Run "work-suite secrets rotate".`);
  if (left > 0) process.exitCode = 1;
}
