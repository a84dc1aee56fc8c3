import { ConfigError, Store } from '../kit/index.js';
import { AUDIT_RETENTION } from '../platform/audit/audit-retention.js';
import { changeInstallation } from '../platform/audit/installation-log.js';
import { isProduction } from '../platform/config/config.js';
import { suggestion } from '../platform/registry/near-matches.js';
import { ScheduledJobRunner } from '../platform/scheduled-jobs/scheduled-job-runner.js';
import { withApplication } from './cli-context.js';
import { runCommand, suiteCommand, UsageError, type Commands, type Given } from './command-line.js';

const USAGE = `Scheduled jobs, for operators and tests.

  work-suite jobs list
  work-suite jobs run schedule.reminders --at 2027-03-01T08:00:00Z

list
  Shows the names of all scheduled jobs.
run <name>
  Runs a job once, now, whether or not it is due, whether or not the suite is running.
  --at <time>  as if it were this time: what is due by then is handled
  --force      in production, also as of a time ahead: reminders are sent and data is erased before its time, for all organizations`;

const COMMANDS = {
  list: {
    options: {},
    run: () => withApplication(async (app) => console.log(app.get(ScheduledJobRunner).names.join('\n'))),
  },
  run: { options: { at: { type: 'string' }, force: { type: 'boolean' } }, words: ['name'], run: (given) => runJob(given) },
} satisfies Commands;

/** Runs the command that the arguments name. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, args);
}

async function runJob(given: Given): Promise<void> {
  const name = given.required('name');
  const at = timeOf(given.text('at'));
  if (at && at.getTime() > Date.now()) refuseAhead(name, given.flag('force'));
  await withApplication(async (app) => {
    const runner = app.get(ScheduledJobRunner);
    if (!runner.names.includes(name)) {
      const end = suggestion(name, runner.names) || '.';
      throw new ConfigError(`There is no scheduled job "${name}"${end} ${suiteCommand('jobs')} list shows their names.`);
    }
    const record = { action: 'ran', objectType: 'scheduled_job', objectId: name, after: { as_of: at ?? null } };
    await changeInstallation(app.get(Store), record, async () => undefined);
    await runner.run(name, at);
    console.log(`${name} ran${at === undefined ? '' : ` as of ${at.toISOString()}`}.`);
  });
}

/** What a job does too early cannot be undone. */
function refuseAhead(name: string, isForced: boolean): void {
  if (name === AUDIT_RETENTION)
    throw new ConfigError(`${name} goes by the clock, as the audit log is append-only: --at cannot be ahead of now.`);
  if (isForced || !isProduction()) return;
  throw new ConfigError(
    `--at is ahead of now, and this is production: ${name} would act early in all organizations. Add --force if it shall.`,
  );
}

function timeOf(given: string | undefined): Date | undefined {
  if (given === undefined) return undefined;
  const time = new Date(given);
  if (Number.isNaN(time.getTime())) throw new UsageError(`--at must be a time such as 2027-03-01T08:00:00Z, but it is "${given}".`);
  return time;
}
