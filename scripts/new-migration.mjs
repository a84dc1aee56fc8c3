// work-suite new migration <module> [name], npm run new:migration: drafts a migration from what the module's entities say.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { format, nextTimestamp, requireProject } from './module-files.mjs';
import { kebab, pascal, validName } from './module-names.mjs';
import { IN_REPOSITORY, PROJECT, StepFailed } from './prepare.mjs';
import { run as runService } from './service-command.mjs';

export async function run(args) {
  if (args.length < 1 || args.length > 2 || args.some((given) => given.startsWith('-')))
    throw new StepFailed(`Use: ${IN_REPOSITORY ? 'npm run new:migration' : 'work-suite new migration'} <module> [what-changes].`);
  requireProject();
  const [module, change] = [validName(args[0], 'module'), validName(args[1] ?? 'changes', 'migration')];
  const timestamp = nextTimestamp(PROJECT);
  const path = join(PROJECT, 'migrations', `${timestamp}-${kebab(module)}-${kebab(change)}.ts`);
  const code = await runService(['new-migration', module, `${pascal(module)}${pascal(change)}${timestamp}`, path]);
  if (existsSync(path)) format([path]);
  return code;
}
