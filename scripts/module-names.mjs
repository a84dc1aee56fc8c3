// The names of a module and its resources, in all forms that their files contain.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, StepFailed } from './prepare.mjs';

export const TEMPLATES = join(ROOT, 'scripts', 'templates', 'module');

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const MAX_LENGTH = 31;
/** The names of errors and events, of which a manifest has one each. */
const CHANGES = ['locked', 'created', 'updated', 'deleted'];
/** Words that TypeScript, SQL (as plurals), the generated code or the platform's paths use. */
const RESERVED = new Set(
  `await body break case catch class const continue debugger default delete do else enum export extends false finally for function id if
  implements import in instanceof interface let locked new null package private protected public reference return static super switch this
  throw title true try typeof var version void while with yield
  mcp developer session webhooks`.split(/\s+/),
);

/** Validates a name and returns it with underscores; folders use hyphens. */
export function validName(given, what) {
  const name = given.replaceAll('-', '_');
  if (!NAME.test(name))
    throw new StepFailed(`"${given}" cannot be the name of a ${what}: use lowercase letters, digits and single hyphens, a letter first.`);
  if (name.length < 2 || name.length > MAX_LENGTH)
    throw new StepFailed(`"${given}" cannot be the name of a ${what}: it must have 2 to ${MAX_LENGTH} characters.`);
  return name;
}

export function namesOf(module, resource, mend = 'choose another name with --resource') {
  const resources = pluralOf(resource);
  if (RESERVED.has(resource) || importedNames().has(pascal(resource))) {
    throw new StepFailed(`"${resource}" cannot be the name of a resource because the code uses that word: ${mend}.`);
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
    // of the module's first resource; another one has its own
    prefix: module,
    file: kebab(module),
    Class: pascal(module),
    ...Object.fromEntries(CHANGES.map((change) => [change, change])),
  };
}

export function singularOf(name) {
  if (/[^aeiou]ies$/.test(name)) return name.replace(/ies$/, 'y');
  if (/(ss|x|z|ch|sh|us)es$/.test(name)) return name.replace(/es$/, '');
  return /[^su]s$/.test(name) ? name.replace(/s$/, '') : name;
}

function pluralOf(name) {
  if (/[^aeiou]y$/.test(name)) return name.replace(/y$/, 'ies');
  return /(s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

/** Those of a further resource of the module. */
export function furtherNamesOf(module, prefix, resource) {
  const names = namesOf(module, resource, 'choose another name');
  const own = CHANGES.map((change) => [change, `${names.resourceVar}${capital(change)}`]);
  return { ...names, prefix, file: kebab(names.resources), Class: names.Resources, ...Object.fromEntries(own) };
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

export function pascal(name) {
  return capital(camel(name));
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** The names that the templates import; a resource must not have the same name. */
function importedNames() {
  const statements = readdirSync(TEMPLATES).flatMap((file) => readFileSync(join(TEMPLATES, file), 'utf8').match(/^import .*;$/gm) ?? []);
  return new Set(statements.flatMap((statement) => statement.match(/\b[A-Z]\w+/g) ?? []));
}
