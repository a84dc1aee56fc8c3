import { DataSource } from 'typeorm';
import { isUuid } from '../kit/index.js';
import { INSTALLATION } from '../platform/audit/installation-log.js';
import { verifyChains } from '../platform/audit/audit-chains.js';
import { poolOf } from '../platform/persistence/database/pool.js';
import { withServices } from './cli-context.js';
import { runCommand, UsageError, type Commands } from './command-line.js';

const USAGE = `The audit log, for operators.

  work-suite audit verify
  work-suite audit verify --organization <id>
  work-suite audit installation

verify
  Computes the hash chain again, of one organization or of all, and prints the last hash of each: note it elsewhere to prove later that
  nothing before it was replaced. The exit code is 1 if an entry is missing or was changed.
installation
  Prints what operators did to the whole installation, the latest first, as JSON Lines: the newest 100 entries.`;

const COMMANDS = {
  verify: { options: { organization: { type: 'string' } }, run: (given) => verify(given.text('organization') ?? null) },
  installation: { options: {}, run: () => withServices((services) => printInstallation(services.get(DataSource))) },
} satisfies Commands;

/** Runs the command that the arguments name. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, args);
}

async function printInstallation(dataSource: DataSource): Promise<void> {
  const { rows } = await poolOf(dataSource).query<{ line: string }>(
    `SELECT json_build_object('sequence', sequence, 'created_at', created_at, 'operator', actor_name, 'command', operation,
       'action', action, 'object_type', object_type, 'object_id', object_id, 'after', after)::text AS line
     FROM audit_entries WHERE organization_id = $1 ORDER BY sequence DESC LIMIT 100`,
    [INSTALLATION],
  );
  for (const { line } of rows) console.log(line);
}

async function verify(organization: string | null): Promise<void> {
  if (organization !== null && !isUuid(organization)) throw new UsageError(`--organization must be an id, but it is "${organization}".`);
  const chains = await withServices((services) => verifyChains(poolOf(services.get(DataSource)), organization));
  if (organization !== null && chains.length === 0) throw new UsageError(`${organization} has no log.`);
  for (const { organization_id, entries, last_sequence, last_hash, broken_at } of chains)
    console.log(
      broken_at === null
        ? `${nameOf(organization_id)}: ${entries} entries, complete and unchanged; ${last_sequence} has the hash ${last_hash}`
        : `${nameOf(organization_id)}: entry ${broken_at} is missing or was changed`,
    );
  const broken = chains.filter(({ broken_at }) => broken_at !== null).length;
  console.log(`${chains.length} logs verified, ${broken} broken.`);
  if (broken > 0) process.exitCode = 1;
}

function nameOf(organization: string): string {
  return organization === INSTALLATION ? 'the installation' : organization;
}
