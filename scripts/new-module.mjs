// work-suite new module <name> [--resource <singular>], npm run new:module: writes a working module with one resource, in this repository
// or in the project of a team. Uses only Node's built-in modules, so that it runs under any Node >= 20.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { adapt, IMPORTS, moduleFile, rejectTable, requireProject, resourceFiles, write } from './module-files.mjs';
import { namesOf, singularOf, validName } from './module-names.mjs';
import { fail, IN_REPOSITORY, PROJECT, StepFailed } from './prepare.mjs';
import { closing, withEntries, withImports } from './source-edits.mjs';

const USAGE = 'Use: npm run new:module <name>, or npm run new:module <name> -- --resource <singular>.';
const USAGE_IN_PROJECT = 'Use: work-suite new module <name>, with --resource <singular> for another resource, or --package for a package.';

/** Writes the module into a project, and lists it there. Returns its names and the paths of its files. */
export function writeModule(name, { resource, project = PROJECT, isPackage = false, imports = IMPORTS } = {}) {
  const valid = validName(name, 'module');
  const names = namesOf(valid, resource === undefined ? singularOf(valid) : validName(resource, 'resource'));
  const folder = isPackage ? 'src' : join('src', 'modules', names['module-file']);
  const files = [moduleFile(names, folder, imports), ...resourceFiles(names, folder, project, imports)];
  if (!isPackage) rejectConflicts(names, folder, project, imports);
  rejectTable(names, project, 'choose another resource with --resource');
  const listed = isPackage ? [] : [[imports.list, withModule(readFileSync(join(project, imports.list), 'utf8'), names, imports)]];
  write(project, files, listed);
  return { names, files };
}

export async function run(args) {
  const { name, resource } = readArguments(args);
  requireProject();
  const { names, files } = writeModule(name, { resource });
  report(names, files);
  return 0;
}

export function readArguments(given) {
  const usage = IN_REPOSITORY ? USAGE : USAGE_IN_PROJECT;
  let parsed;
  try {
    parsed = parseArgs({
      args: given,
      allowPositionals: true,
      options: { resource: { type: 'string' }, package: { type: 'boolean', default: false } },
    });
  } catch {
    throw new StepFailed(usage);
  }
  if (parsed.positionals.length !== 1) throw new StepFailed(usage);
  return { name: parsed.positionals[0], resource: parsed.values.resource };
}

function rejectConflicts(names, folder, project, { list }) {
  if (existsSync(join(project, folder)))
    throw new StepFailed(`A module already exists in ${folder}: choose another name, or delete that folder first.`);
  if (new RegExp(`\\b${names.Module}Module\\b`).test(readFileSync(join(project, list), 'utf8')))
    throw new StepFailed(`${list} already contains a ${names.Module}Module: choose another name.`);
}

/** Adds an import and an entry to the list of modules. */
function withModule(text, names, { list, from }) {
  const statement = `import { ${names.Module}Module } from '${from}/${names['module-file']}/${names['module-file']}.module.js';`;
  const start = /(?:export const MODULES\b[^=]*=\s*(?:Object\.freeze\()?|\bmodules:\s*)\[/.exec(text);
  const open = start ? start.index + start[0].length - 1 : -1;
  if (open === -1 || closing(text, open) === -1)
    throw new StepFailed(
      `${list} has no ${list.endsWith('modules.ts') ? '"export const MODULES = [...]"' : '"modules: [...]"'} for the module.`,
    );
  return withImports(withEntries(text, open, [`${names.Module}Module`]), [statement]);
}

function report(names, files) {
  const written = files.map(([path]) => `  ${path}`).join('\n');
  console.log(`Created the module ${names.module} with the resource ${names.resource} (${names.resources}):
${written}
  ${IMPORTS.list} (one import, one entry)

Next:
  1. ${adapt(names)}
  2. ${IN_REPOSITORY ? `npm run check:module ${names['module-file']}` : `npm test -- src/modules/${names['module-file']}/`}
  3. npm start creates the table and prints keys for the module.`);
}

// npm run new:module
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) run(process.argv.slice(2)).then(process.exit, fail);
