import { DataSource } from 'typeorm';
import { isUuid } from '../kit/index.js';
import { verifyChains } from '../platform/audit/audit-chains.js';
import { poolOf } from '../platform/persistence/database/pool.js';
import { withServices } from './cli-context.js';
import { runCommand, UsageError, type Commands } from './command-line.js';

const USAGE = `The audit log, for operators.

  work-suite audit verify
  work-suite audit verify --organization <id>

verify
  Computes the hash chain again, of one organization or of all, and prints the last hash of each: note it elsewhere to prove later that
  nothing before it was replaced. The exit code is 1 if an entry is missing or was changed.`;

const COMMANDS = {
  verify: { options: { organization: { type: 'string' } }, run: (given) => verify(given.text('organization') ?? null) },
} satisfies Commands;

/** Runs the command that the arguments name. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, args);
}

async function verify(organization: string | null): Promise<void> {
  if (organization !== null && !isUuid(organization)) throw new UsageError(`--organization must be an id, but it is "${organization}".`);
  const chains = await withServices((services) => verifyChains(poolOf(services.get(DataSource)), organization));
  for (const { organization_id, entries, last_sequence, last_hash, broken_at } of chains)
    console.log(
      broken_at === null
        ? `${organization_id}: ${entries} entries, complete and unchanged; ${last_sequence} has the hash ${last_hash}`
        : `${organization_id}: entry ${broken_at} is missing or was changed`,
    );
  const broken = chains.filter(({ broken_at }) => broken_at !== null).length;
  console.log(`${chains.length} logs verified, ${broken} broken.`);
  if (broken > 0) process.exitCode = 1;
}
