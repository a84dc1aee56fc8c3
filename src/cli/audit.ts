import { DataSource } from 'typeorm';
import { isUuid } from '../kit/index.js';
import { INSTALLATION } from '../platform/audit/installation-log.js';
import { verifyChains, type VerifiedChain } from '../platform/audit/audit-chains.js';
import { loadConfig } from '../platform/config/config.js';
import { poolOf } from '../platform/persistence/database/pool.js';
import { loadSuite } from '../suite/load-suite.js';
import { withServices } from './cli-context.js';
import { runCommand, UsageError, type Commands } from './command-line.js';

const BATCH = 500;

const USAGE = `The audit log, for operators.

  work-suite audit verify
  work-suite audit verify --organization <id>
  work-suite audit installation
  work-suite audit installation --limit 1000

verify
  Computes the hash chain again, of one organization or of all, and prints the last hash of each: note it elsewhere to prove later that
  nothing before it was replaced. The exit code is 1 if an entry is missing or was changed, or if entries were deleted that
  AUDIT_RETENTION_DAYS keeps.
installation
  Prints what operators did to the whole installation, the latest first, as JSON Lines: all entries, or so many.`;

const COMMANDS = {
  verify: { options: { organization: { type: 'string' } }, run: (given) => verify(given.text('organization') ?? null) },
  installation: {
    options: { limit: { type: 'string' } },
    run: (given) => withServices((services) => printInstallation(services.get(DataSource), given.number('limit') ?? Infinity)),
  },
} satisfies Commands;

/** Runs the command that the arguments name. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, args);
}

async function printInstallation(dataSource: DataSource, limit: number): Promise<void> {
  let before: number | null = null;
  for (let left = limit; left > 0;) {
    const { rows }: { rows: { sequence: number; line: string }[] } = await poolOf(dataSource).query(
      `SELECT sequence, json_build_object('sequence', sequence, 'created_at', created_at, 'operator', actor_name, 'command', operation,
         'action', action, 'object_type', object_type, 'object_id', object_id, 'after', after)::text AS line
       FROM audit_entries WHERE organization_id = $1 AND ($2::bigint IS NULL OR sequence < $2) ORDER BY sequence DESC LIMIT $3`,
      [INSTALLATION, before, Math.min(left, BATCH)],
    );
    for (const { line } of rows) console.log(line);
    if (rows.length < BATCH) return;
    left -= rows.length;
    before = rows[rows.length - 1].sequence;
  }
}

async function verify(organization: string | null): Promise<void> {
  if (organization !== null && !isUuid(organization)) throw new UsageError(`--organization must be an id, but it is "${organization}".`);
  const { auditRetentionDays } = loadConfig(undefined, { settings: (await loadSuite()).settings });
  const chains = await withServices((services) => verifyChains(poolOf(services.get(DataSource)), organization, auditRetentionDays));
  if (organization !== null && chains.length === 0) throw new UsageError(`${organization} has no log.`);
  const faults = chains.map((chain) => faultOf(chain, auditRetentionDays));
  for (const [i, chain] of chains.entries()) {
    const { organization_id, entries, last_sequence, last_hash } = chain;
    const complete = `${entries} entries${retainedOf(chain)}, complete and unchanged; ${last_sequence} has the hash ${last_hash}`;
    console.log(`${nameOf(organization_id)}: ${faults[i] ?? complete}`);
  }
  const broken = faults.filter((fault) => fault !== null).length;
  console.log(`${chains.length} logs verified, ${broken} broken.`);
  if (broken > 0) process.exitCode = 1;
}

function faultOf({ broken_at, shortened, deleted_until, deleted_sequence }: VerifiedChain, keepDays: number): string | null {
  if (broken_at !== null) return `entry ${broken_at} is missing or was changed`;
  if (!shortened) return null;
  const until = `${deleted_sequence}, the latest of ${deleted_until?.toISOString()},`;
  return `the entries up to ${until} were deleted although AUDIT_RETENTION_DAYS (${keepDays}) keeps them`;
}

/** Where the log begins. */
function retainedOf({ deleted_sequence, deleted_until }: VerifiedChain): string {
  if (deleted_sequence === '0') return '';
  return ` after ${deleted_sequence}${deleted_until ? ` of ${deleted_until.toISOString()}` : ''}, the last that the retention deleted`;
}

function nameOf(organization: string): string {
  return organization === INSTALLATION ? 'the installation' : organization;
}
