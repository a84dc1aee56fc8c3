// npm run new:module <name> [-- --resource <singular>]: creates a working module with one resource.
// Uses only Node's built-in modules, so that it runs under any Node >= 20.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TEMPLATES = join(ROOT, 'scripts', 'templates', 'module');
const LIST = join(ROOT, 'src', 'modules.ts');
const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const MAX_LENGTH = 31;
/** Words that TypeScript, SQL (as plurals), the generated code or the platform's paths use. */
const RESERVED = new Set(
  `await body break case catch class const continue debugger default delete do else enum export extends false finally for function id if
  implements import in instanceof interface let locked new null package private protected public reference return static super switch this
  throw title true try typeof var version void while with yield
  mcp developer session webhooks`.split(/\s+/),
);

/** An error whose message is shown to the user without a stack trace. */
class UsageError extends Error {}

try {
  const { name, resource } = readArguments(process.argv.slice(2));
  const names = namesOf(name, resource);
  const files = filesOf(names);
  rejectConflicts(names, files);
  const list = withModule(readFileSync(LIST, 'utf8'), names);
  for (const [path, content] of files) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), content, { flag: 'wx' });
  }
  writeFileSync(LIST, list);
  report(names, files);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exit(1);
}

function readArguments(given) {
  const usage = 'Use: npm run new:module <name>, or npm run new:module <name> -- --resource <singular>.';
  let parsed;
  try {
    parsed = parseArgs({ args: given, allowPositionals: true, options: { resource: { type: 'string' } } });
  } catch {
    throw new UsageError(usage);
  }
  if (parsed.positionals.length !== 1) throw new UsageError(usage);
  const name = validName(parsed.positionals[0], 'module');
  return { name, resource: parsed.values.resource === undefined ? singularOf(name) : validName(parsed.values.resource, 'resource') };
}

/** Validates a name and returns it with underscores; folders use hyphens. */
function validName(given, what) {
  const name = given.replaceAll('-', '_');
  if (!NAME.test(name))
    throw new UsageError(`"${given}" cannot be the name of a ${what}: use lowercase letters, digits and single hyphens, a letter first.`);
  if (name.length < 2 || name.length > MAX_LENGTH)
    throw new UsageError(`"${given}" cannot be the name of a ${what}: it must have 2 to ${MAX_LENGTH} characters.`);
  return name;
}

function namesOf(module, resource) {
  const resources = pluralOf(resource);
  if (RESERVED.has(resource) || importedNames().has(pascal(resource))) {
    throw new UsageError(
      `"${resource}" cannot be the name of a resource because the code uses that word: choose another name with --resource.`,
    );
  }
  if (importedNames().has(`${pascal(module)}Module`))
    throw new UsageError(`"${module}" cannot be the name of a module because the code uses that word: choose another name.`);
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
    timestamp: String(nextTimestamp()),
  };
}

/** The path and content of each file. */
function filesOf(names) {
  const folder = join('src', 'modules', names['module-file']);
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

function rejectConflicts(names, files) {
  const folder = dirname(files[0][0]);
  if (existsSync(join(ROOT, folder)))
    throw new UsageError(`A module already exists in ${folder}: choose another name, or delete that folder first.`);
  if (new RegExp(`\\b${names.Module}Module\\b`).test(readFileSync(LIST, 'utf8')))
    throw new UsageError(`src/modules.ts already contains a ${names.Module}Module: choose another name.`);
  const owner = migrations().find((file) =>
    new RegExp(`CREATE TABLE (IF NOT EXISTS )?"?${names.resources}"?[ (]`).test(readFileSync(join(ROOT, 'migrations', file), 'utf8')),
  );
  if (owner)
    throw new UsageError(`migrations/${owner} already creates the table ${names.resources}: choose another resource with --resource.`);
}

/** Adds an import and an entry to the list of modules. */
function withModule(text, names) {
  const statement = `import { ${names.Module}Module } from './modules/${names['module-file']}/${names['module-file']}.module.js';\n`;
  const imports = [...text.matchAll(/^import .*;\n/gm)];
  const list = /(export const MODULES\b[^=]*=\s*(?:Object\.freeze\()?\[)([^\]]*)\]/.exec(text);
  if (!list) throw new UsageError('src/modules.ts has no "export const MODULES = [...]" that the module could be added to.');
  const [whole, start, entries] = list;
  const before = entries.trimEnd().replace(/,$/, '');
  const entry = entries.includes('\n') ? `${before},\n  ${names.Module}Module,\n]` : `${before}${before ? ', ' : ''}${names.Module}Module]`;
  const listed = text.replace(whole, () => start + entry);
  const at = imports.length > 0 ? imports.at(-1).index + imports.at(-1)[0].length : 0;
  return listed.slice(0, at) + statement + listed.slice(at);
}

/** A timestamp after all existing migrations, so that the new one runs last. */
function nextTimestamp() {
  return Math.max(Date.now(), ...migrations().map((file) => Number.parseInt(file, 10) + 1));
}

function migrations() {
  return readdirSync(join(ROOT, 'migrations')).filter((file) => /^\d{13}-.*\.ts$/.test(file));
}

function report(names, files) {
  const written = files.map(([path]) => `  ${path}`).join('\n');
  const adapted = { entity: `${names['resource-file']}.entity.ts`, dto: `${names['module-file']}.dto.ts` };
  console.log(`Created the module ${names.module} with the resource ${names.resource} (${names.resources}):
${written}
  ${relative(ROOT, LIST)} (one import, one entry)

Next:
  1. Adapt the fields in ${adapted.entity}, ${adapted.dto} and the migration, and the rules in ${names['module-file']}.service.ts.
  2. npm run check:module ${names['module-file']}
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

function kebab(name) {
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
