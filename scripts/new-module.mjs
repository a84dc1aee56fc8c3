// work-suite new module <name> [--resource <singular>], npm run new:module: writes a working module with one resource, in this repository
// or in the project of a team. Uses only Node's built-in modules, so that it runs under any Node >= 20.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { fail, IN_REPOSITORY, PROJECT, ROOT, StepFailed } from './prepare.mjs';

const TEMPLATES = join(ROOT, 'scripts', 'templates', 'module');
const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const MAX_LENGTH = 31;
/** Words that TypeScript, SQL (as plurals), the generated code or the platform's paths use. */
const RESERVED = new Set(
  `await body break case catch class const continue debugger default delete do else enum export extends false finally for function id if
  implements import in instanceof interface let locked new null package private protected public reference return static super switch this
  throw title true try typeof var version void while with yield
  mcp developer session webhooks`.split(/\s+/),
);
const USAGE = 'Use: npm run new:module <name>, or npm run new:module <name> -- --resource <singular>.';
const USAGE_IN_PROJECT = 'Use: work-suite new module <name>, with --resource <singular> for another resource, or --package for a package.';

/** What the generated files import, where they are, and the list that gets the module. */
const IN_SUITE = { kit: '../../kit/index.js', testing: '../../../test/index.js', list: join('src', 'modules.ts'), from: './modules' };
export const OF_TEAM = { kit: 'work-suite/kit', testing: 'work-suite/testing', list: 'suite.config.ts', from: './src/modules' };

/** Writes the module into a project, and lists it there. Returns its names and the paths of its files. */
export function writeModule(name, { resource, project = PROJECT, isPackage = false, imports = IN_REPOSITORY ? IN_SUITE : OF_TEAM } = {}) {
  const valid = validName(name, 'module');
  const names = namesOf(valid, resource === undefined ? singularOf(valid) : validName(resource, 'resource'), project);
  const folder = isPackage ? 'src' : join('src', 'modules', names['module-file']);
  const files = filesOf(names, folder).map(([path, text]) => [
    path,
    text.replaceAll(IN_SUITE.kit, imports.kit).replaceAll(IN_SUITE.testing, imports.testing),
  ]);
  if (!isPackage) rejectConflicts(names, folder, project, imports);
  rejectTable(names, project);
  const list = join(project, imports.list);
  const listed = isPackage ? undefined : withModule(readFileSync(list, 'utf8'), names, imports);
  for (const [path, content] of files) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content, { flag: 'wx' });
  }
  if (listed !== undefined) writeFileSync(list, listed);
  format([...files.map(([path]) => join(project, path)), ...(listed === undefined ? [] : [list])]);
  return { names, files };
}

export async function run(args) {
  const { name, resource } = readArguments(args);
  if (PROJECT === ROOT && !IN_REPOSITORY) throw new StepFailed(`There is no suite.config.ts in ${process.cwd()} or above it.`);
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

/** Validates a name and returns it with underscores; folders use hyphens. */
function validName(given, what) {
  const name = given.replaceAll('-', '_');
  if (!NAME.test(name))
    throw new StepFailed(`"${given}" cannot be the name of a ${what}: use lowercase letters, digits and single hyphens, a letter first.`);
  if (name.length < 2 || name.length > MAX_LENGTH)
    throw new StepFailed(`"${given}" cannot be the name of a ${what}: it must have 2 to ${MAX_LENGTH} characters.`);
  return name;
}

function namesOf(module, resource, project) {
  const resources = pluralOf(resource);
  if (RESERVED.has(resource) || importedNames().has(pascal(resource))) {
    throw new StepFailed(
      `"${resource}" cannot be the name of a resource because the code uses that word: choose another name with --resource.`,
    );
  }
  if (importedNames().has(`${pascal(module)}Module`))
    throw new StepFailed(`"${module}" cannot be the name of a module because the code uses that word: choose another name.`);
  const one = `${/^([aeio]|u(?!ni|s))/.test(resource) ? 'an' : 'a'} ${words(resource)}`;
  return {
    module,
    'module-file': kebab(module),
    Module: pascal(module),
    'Module words': capital(words(module)),
    resource,
    resources,
    'resource-file': kebab(resource),
    resourceVar: camel(resource),
    resourcesVar: camel(resources),
    Resource: pascal(resource),
    Resources: pascal(resources),
    'resource words': words(resource),
    'resources words': words(resources),
    'Resources words': capital(words(resources)),
    'a resource': one,
    'A resource': capital(one),
    timestamp: String(nextTimestamp(project)),
  };
}

/** The path and content of each file. */
function filesOf(names, folder) {
  const about = (part) => join(folder, `${names['module-file']}.${part}.ts`);
  const ofResource = (part) => join(folder, `${names['resource-file']}.${part}.ts`);
  const paths = {
    module: about('module'),
    entity: ofResource('entity'),
    dto: about('dto'),
    controller: about('controller'),
    service: about('service'),
    errors: about('errors'),
    events: about('events'),
    factory: ofResource('factory'),
    spec: about('spec'),
    'e2e-spec': about('e2e-spec'),
    migration: join('migrations', `${names.timestamp}-${names['module-file']}-tables.ts`),
  };
  return Object.entries(paths).map(([template, path]) => [path, render(template, names)]);
}

function render(template, names) {
  const text = readFileSync(join(TEMPLATES, `${template}.ts.tmpl`), 'utf8').replace(/\{\{([\w -]+)\}\}/g, (token, name) => {
    if (!(name in names)) throw new Error(`${template}.ts.tmpl has the unknown token ${token}.`);
    return names[name];
  });
  // sorts the relative imports, whose order depends on the module's names
  return text.replace(/(^import .* from '\.\/.*';\n)+/m, (imports) => imports.trimEnd().split('\n').sort(byPath).join('\n') + '\n');
}

/** The names that the templates import; a resource must not have the same name. */
function importedNames() {
  const statements = readdirSync(TEMPLATES).flatMap((file) => readFileSync(join(TEMPLATES, file), 'utf8').match(/^import .*;$/gm) ?? []);
  return new Set(statements.flatMap((statement) => statement.match(/\b[A-Z]\w+/g) ?? []));
}

function byPath(one, other) {
  const path = (line) => line.slice(line.indexOf("from '"));
  return path(one) < path(other) ? -1 : 1;
}

function rejectConflicts(names, folder, project, { list }) {
  if (existsSync(join(project, folder)))
    throw new StepFailed(`A module already exists in ${folder}: choose another name, or delete that folder first.`);
  if (new RegExp(`\\b${names.Module}Module\\b`).test(readFileSync(join(project, list), 'utf8')))
    throw new StepFailed(`${list} already contains a ${names.Module}Module: choose another name.`);
}

function rejectTable(names, project) {
  const creates = new RegExp(`CREATE TABLE (IF NOT EXISTS )?"?${names.resources}"?[ (]`);
  const owner = migrations(project).find((file) => creates.test(readFileSync(file, 'utf8')));
  if (owner)
    throw new StepFailed(
      `${relative(project, owner)} already creates the table ${names.resources}: choose another resource with --resource.`,
    );
}

/** Adds an import and an entry to the list of modules. */
function withModule(text, names, { list, from }) {
  const statement = `import { ${names.Module}Module } from '${from}/${names['module-file']}/${names['module-file']}.module.js';\n`;
  const imports = [...text.matchAll(/^import .*;\n/gm)];
  const start = /(?:export const MODULES\b[^=]*=\s*(?:Object\.freeze\()?|\bmodules:\s*)\[/.exec(text);
  const end = start ? closing(text, start.index + start[0].length) : -1;
  if (end === -1)
    throw new StepFailed(
      `${list} has no ${list.endsWith('modules.ts') ? '"export const MODULES = [...]"' : '"modules: [...]"'} for the module.`,
    );
  const entries = text.slice(start.index + start[0].length, end);
  const before = entries.trimEnd().replace(/,$/, '');
  const indent = /\n( *)\S/.exec(entries)?.[1] ?? '  ';
  const entry = entries.includes('\n')
    ? `${before},\n${indent}${names.Module}Module,\n${indent.slice(2)}`
    : `${before}${before ? ', ' : ''}${names.Module}Module`;
  const listed = text.slice(0, end - entries.length) + entry + text.slice(end);
  const at = imports.length > 0 ? imports.at(-1).index + imports.at(-1)[0].length : 0;
  return listed.slice(0, at) + statement + listed.slice(at);
}

/** Where the bracket closes that was opened before the index. */
function closing(text, from) {
  for (let at = from, depth = 1; at < text.length; at++) {
    if (text[at] === '[') depth++;
    if (text[at] === ']' && --depth === 0) return at;
  }
  return -1;
}

/**
 * A timestamp after all existing migrations, so that the new one runs last. While the suite has one of a later time than now, those of
 * projects and packages, which do not know each other, are at a distance that no two have.
 */
function nextTimestamp(project) {
  const distance = IN_REPOSITORY && project === ROOT ? 1 : randomInt(1, 10_000_000);
  return Math.max(Date.now(), ...migrations(project).map((file) => Number.parseInt(basename(file), 10) + distance));
}

/** Those of the project and of the suite. */
function migrations(project) {
  return [join(project, 'migrations'), join(ROOT, 'dist', 'migrations')]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
    .filter((file) => /^\d{13}-.*(?<!\.d)\.[jt]s$/.test(basename(file)));
}

/** Where a line breaks depends on the names. Before an installation the files stay as they are. */
function format(paths) {
  const formatter = join(ROOT, 'node_modules', 'oxfmt', 'bin', 'oxfmt');
  if (existsSync(formatter)) spawnSync(process.execPath, [formatter, ...paths], { cwd: ROOT, stdio: 'ignore' });
}

function report(names, files) {
  const written = files.map(([path]) => `  ${path}`).join('\n');
  const adapted = { entity: `${names['resource-file']}.entity.ts`, dto: `${names['module-file']}.dto.ts` };
  console.log(`Created the module ${names.module} with the resource ${names.resource} (${names.resources}):
${written}
  ${(IN_REPOSITORY ? IN_SUITE : OF_TEAM).list} (one import, one entry)

Next:
  1. Adapt the fields in ${adapted.entity}, ${adapted.dto} and the migration, and the rules in ${names['module-file']}.service.ts.
  2. ${IN_REPOSITORY ? `npm run check:module ${names['module-file']}` : `npm test -- src/modules/${names['module-file']}/`}
  3. npm start creates the table and prints keys for the module.`);
}

function singularOf(name) {
  if (/[^aeiou]ies$/.test(name)) return name.replace(/ies$/, 'y');
  if (/(ss|x|z|ch|sh|us)es$/.test(name)) return name.replace(/es$/, '');
  return /[^su]s$/.test(name) ? name.replace(/s$/, '') : name;
}

function pluralOf(name) {
  if (/[^aeiou]y$/.test(name)) return name.replace(/y$/, 'ies');
  return /(s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

function words(name) {
  return name.replaceAll('_', ' ');
}

export function kebab(name) {
  return name.replaceAll('_', '-');
}

function camel(name) {
  return name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
}

function pascal(name) {
  return capital(camel(name));
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

// npm run new:module
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) run(process.argv.slice(2)).then(process.exit, fail);
