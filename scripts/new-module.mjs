// npm run new:module <name> [-- --resource <singular>]: writes a working module over one resource.
// Node's own modules only, so that it runs under any Node >= 20.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TEMPLATES = join(ROOT, 'scripts', 'templates', 'module');
const LIST = join(ROOT, 'src', 'modules.ts');
const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const LONGEST = 31;
/** Words that TypeScript, SQL (as plurals), the generated code itself or the platform's own paths use. */
const TAKEN = new Set(
  `await body break case catch class const continue debugger default delete do else enum export extends false finally for function id if
  implements import in instanceof interface let locked new null package private protected public reference return static super switch this
  throw title true try typeof var version void while with yield
  mcp developer session webhooks`.split(/\s+/),
);

/** A refusal whose message is the one sentence to show. */
class Refused extends Error {}

try {
  const { name, resource } = readArguments(process.argv.slice(2));
  const names = namesOf(name, resource);
  const files = filesOf(names);
  refuseConflicts(names, files);
  const list = withModule(readFileSync(LIST, 'utf8'), names);
  for (const [path, content] of files) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), content, { flag: 'wx' });
  }
  writeFileSync(LIST, list);
  report(names, files);
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(error.message);
  process.exit(1);
}

function readArguments(given) {
  const usage = 'Use: npm run new:module <name>, or npm run new:module <name> -- --resource <singular>.';
  let parsed;
  try {
    parsed = parseArgs({ args: given, allowPositionals: true, options: { resource: { type: 'string' } } });
  } catch {
    throw new Refused(usage);
  }
  if (parsed.positionals.length !== 1) throw new Refused(usage);
  const name = checked(parsed.positionals[0], 'module');
  return { name, resource: parsed.values.resource === undefined ? singularOf(name) : checked(parsed.values.resource, 'resource') };
}

/** Hyphens are what folders use; names use underscores. */
function checked(given, what) {
  const name = given.replaceAll('-', '_');
  if (!NAME.test(name))
    throw new Refused(`"${given}" cannot be the name of a ${what}: use lower-case letters, digits and single hyphens, a letter first.`);
  if (name.length < 2 || name.length > LONGEST)
    throw new Refused(`"${given}" cannot be the name of a ${what}: it must have 2 to ${LONGEST} characters.`);
  return name;
}

function namesOf(module, resource) {
  const resources = pluralOf(resource);
  if (TAKEN.has(resource) || importedNames().has(pascal(resource))) {
    throw new Refused(
      `"${resource}" cannot be the name of a resource, because the code uses the word itself: choose another with --resource.`,
    );
  }
  if (importedNames().has(`${pascal(module)}Module`))
    throw new Refused(`"${module}" cannot be the name of a module, because the code uses the word itself: choose another.`);
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

/** Path and content of every file. */
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
  // which of two files comes first depends on their names
  return text.replace(/(^import .* from '\.\/.*';\n)+/m, (imports) => imports.trimEnd().split('\n').sort(byPath).join('\n') + '\n');
}

/** What the templates import from elsewhere under its own name. */
function importedNames() {
  const statements = readdirSync(TEMPLATES).flatMap((file) => readFileSync(join(TEMPLATES, file), 'utf8').match(/^import .*;$/gm) ?? []);
  return new Set(statements.flatMap((statement) => statement.match(/\b[A-Z]\w+/g) ?? []));
}

function byPath(one, other) {
  const path = (line) => line.slice(line.indexOf("from '"));
  return path(one) < path(other) ? -1 : 1;
}

function refuseConflicts(names, files) {
  const folder = dirname(files[0][0]);
  if (existsSync(join(ROOT, folder)))
    throw new Refused(`There is a module in ${folder} already: choose another name, or delete that folder first.`);
  if (new RegExp(`\\b${names.Module}Module\\b`).test(readFileSync(LIST, 'utf8')))
    throw new Refused(`src/modules.ts names a ${names.Module}Module already: choose another name.`);
  const owner = migrations().find((file) =>
    new RegExp(`CREATE TABLE (IF NOT EXISTS )?"?${names.resources}"?[ (]`).test(readFileSync(join(ROOT, 'migrations', file), 'utf8')),
  );
  if (owner)
    throw new Refused(`The table ${names.resources} is made by migrations/${owner} already: name another resource with --resource.`);
}

/** The list with one more import behind the last, and one more entry at the end. */
function withModule(text, names) {
  const statement = `import { ${names.Module}Module } from './modules/${names['module-file']}/${names['module-file']}.module.js';\n`;
  const imports = [...text.matchAll(/^import .*;\n/gm)];
  const list = /(export const MODULES\b[^=]*=\s*(?:Object\.freeze\()?\[)([^\]]*)\]/.exec(text);
  if (!list) throw new Refused('src/modules.ts has no "export const MODULES = [...]" to add the module to.');
  const [whole, start, entries] = list;
  const before = entries.trimEnd().replace(/,$/, '');
  const entry = entries.includes('\n') ? `${before},\n  ${names.Module}Module,\n]` : `${before}${before ? ', ' : ''}${names.Module}Module]`;
  const listed = text.replace(whole, () => start + entry);
  const at = imports.length > 0 ? imports.at(-1).index + imports.at(-1)[0].length : 0;
  return listed.slice(0, at) + statement + listed.slice(at);
}

/** Later than every migration there is, so that it runs last. */
function nextTimestamp() {
  return Math.max(Date.now(), ...migrations().map((file) => Number.parseInt(file, 10) + 1));
}

function migrations() {
  return readdirSync(join(ROOT, 'migrations')).filter((file) => /^\d{13}-.*\.ts$/.test(file));
}

function report(names, files) {
  const written = files.map(([path]) => `  ${path}`).join('\n');
  console.log(`Wrote the module ${names.module} with the resource ${names.resource} (${names.resources}):
${written}
  ${relative(ROOT, LIST)} (one import, one entry)

Next:
  1. Make it yours: the fields in ${names['resource-file']}.entity.ts, ${names['module-file']}.dto.ts and the migration, the rules in ${names['module-file']}.service.ts.
  2. npm test -- src/modules/${names['module-file']}/
  3. npm start: it makes the table, and keys for the module are among those it prints.`);
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
