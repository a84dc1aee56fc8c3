// work-suite new resource <module> <name>, npm run new:resource: adds a further resource to a module, in this repository, in the project of
// a team or in the package of a module. Uses only Node's built-in modules.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { adapt, IMPORTS, rejectTable, requireProject, resourceFiles, sorted, write } from './module-files.mjs';
import { furtherNamesOf, kebab, validName } from './module-names.mjs';
import { IN_REPOSITORY, PROJECT, StepFailed } from './prepare.mjs';
import { closing, valueOf, withEntries, withImports } from './source-edits.mjs';

export async function run(args) {
  if (args.length !== 2 || args.some((given) => given.startsWith('-')))
    throw new StepFailed(
      `Use: ${IN_REPOSITORY ? 'npm run new:resource' : 'work-suite new resource'} <module> <name>, the name in singular.`,
    );
  requireProject();
  const [module, resource] = [validName(args[0], 'module'), validName(args[1], 'resource')];
  const folder = folderOf(module);
  const manifest = new Manifest(join(folder, `${kebab(module)}.module.ts`));
  const names = furtherNamesOf(manifest.text('name') ?? module, manifest.text('prefix') ?? manifest.text('name') ?? module, resource);
  const files = resourceFiles({ ...names, 'module-file': kebab(module) }, folder, PROJECT, IMPORTS);
  const existing = files.find(([path]) => existsSync(join(PROJECT, path)));
  if (existing) throw new StepFailed(`${existing[0]} already exists: choose another name.`);
  rejectTable(names, PROJECT, 'choose another name');
  const contract = samplesOf(folder, names);
  const created = files.map(([path, text]) => [path, path.endsWith('.e2e-spec.ts') ? withoutContract(text) : text]);
  write(PROJECT, created, [[manifest.path, extended(manifest, names)], ...(contract ? [[contract.path, contract.text]] : [])]);
  report(names, created, manifest, contract);
  return 0;
}

function folderOf(module) {
  const file = `${kebab(module)}.module.ts`;
  const folder = [join('src', 'modules', kebab(module)), 'src'].find((path) => existsSync(join(PROJECT, path, file)));
  if (folder === undefined)
    throw new StepFailed(`There is no module in ${join('src', 'modules', kebab(module))}: "new module ${kebab(module)}" writes one.`);
  return folder;
}

/** The object in `@DomainModule`, to which properties and entries are added. */
class Manifest {
  constructor(path) {
    this.path = path;
    this.source = readFileSync(join(PROJECT, path), 'utf8');
    if (this.open === -1 || closing(this.source, this.open) === -1)
      throw new StepFailed(`${path} has no @DomainModule({ ... }), to which a resource could be added: write the manifest there.`);
  }

  get open() {
    const found = /@DomainModule\(\s*\{/.exec(this.source);
    return found ? found.index + found[0].length - 1 : -1;
  }

  /** The string that a property is. */
  text(property) {
    const found = valueOf(this.source, this.open, property);
    return found && /^'([^']*)'/.exec(this.source.slice(found.start, found.end))?.[1];
  }

  add(property, bracket, entries) {
    const found = valueOf(this.source, this.open, property);
    if (!found) {
      const [open, close] = bracket === '[' ? ['[', ']'] : ['{', '}'];
      this.source = withEntries(this.source, this.open, [`${property}: ${open}${entries.join(', ')}${close}`]);
    } else if (this.source[found.start] === bracket) this.source = withEntries(this.source, found.start, entries);
    else if (bracket === '{' && /^[\w$.]+$/.test(this.source.slice(found.start, found.end).trim())) {
      const given = this.source.slice(found.start, found.end).trim();
      this.source = `${this.source.slice(0, found.start)}{ ...${given}, ${entries.join(', ')} }${this.source.slice(found.end)}`;
    } else {
      const written = bracket === '[' ? `"${property}: [ ... ]"` : `"${property}: { ... }"`;
      throw new StepFailed(
        `${this.path} does not write ${written}, to which the resource could be added: write it as that, and try again.`,
      );
    }
  }
}

function extended(manifest, names) {
  const { module, prefix, resource, Resource, Class, file } = names;
  const several = names['resources words'];
  manifest.add('scopes', '{', [
    `'${prefix}:${resource}:read': 'Read ${several}'`,
    `'${prefix}:${resource}:write': 'Create and change ${several}'`,
    `'${prefix}:${resource}:delete': 'Delete ${several}'`,
  ]);
  manifest.add('permissions', '{', [
    `'${module}.${resource}.view': { title: 'See ${several}', roles: ['admin', 'member'] }`,
    `'${module}.${resource}.manage': { title: 'Create, change and delete ${several}', roles: ['admin', 'member'] }`,
  ]);
  manifest.add('entities', '[', [Resource]);
  manifest.add('controllers', '[', [`${Class}Controller`]);
  manifest.add('providers', '[', [`${Class}Service`]);
  manifest.add('errors', '{', [`...${Resource}Errors`]);
  manifest.add('events', '{', [`...${Resource}Events`]);
  const imported = [
    [Resource, `${names['resource-file']}.entity`],
    [`${Class}Controller`, `${file}.controller`],
    [`${Resource}Errors`, `${file}.errors`],
    [`${Resource}Events`, `${file}.events`],
    [`${Class}Service`, `${file}.service`],
  ];
  const text = withImports(
    manifest.source,
    imported.map(([name, path]) => `import { ${name} } from './${path}.js';`),
  );
  return sorted(withGuide(text, names));
}

/** A sentence for agents, if the guide is a text in the file of the manifest. */
function withGuide(text, names) {
  const { resource, resources } = names;
  const sentence = `'list_${resources}' and 'get_${resource}' find ${names['resources words']}; 'create_${resource}', 'update_${resource}'
and 'delete_${resource}' change them.`;
  return text.replace(/^(const GUIDE = `(?:[^`\\]|\\.)*)`;$/m, (_, guide) => `${guide}\n\n${sentence.replaceAll("'", '\\`')}\`;`);
}

/** The test of the module that calls describeModule, with samples of the resource; undefined if its samples are not written there. */
function samplesOf(folder, names) {
  for (const file of readdirSync(join(PROJECT, folder)).filter((name) => name.endsWith('.e2e-spec.ts'))) {
    const text = readFileSync(join(PROJECT, folder, file), 'utf8');
    const call = /\bdescribeModule\([^{;]*\{/.exec(text);
    if (!call) continue;
    const open = call.index + call[0].length - 1;
    const samples = valueOf(text, open, 'samples');
    if (!samples || text[samples.start] !== '{') return undefined;
    const added = withEntries(text, samples.start, [
      `create_${names.resource}: ({ project, unique }) => ({ ...${names.resourceVar}Body({ project_id: project.id, title: unique() }) })`,
      `update_${names.resource}: ({ unique }) => ({ title: unique() })`,
    ]);
    const statement = `import { ${names.resourceVar}Body } from './${names['resource-file']}.factory.js';`;
    return { path: join(folder, file), text: sorted(withImports(added, [statement])) };
  }
  return undefined;
}

/** The module's own test already calls describeModule. */
function withoutContract(text) {
  return text.replace(/^await describeModule\([^]*?^\}\);\n\n/m, '').replace('describeModule, ', '');
}

function report(names, files, manifest, contract) {
  const file = kebab(names.module);
  const samples = `samples of create_${names.resource} and update_${names.resource}`;
  const steps = [
    adapt(names),
    ...(contract ? [] : [`Add ${samples} to describeModule; a valid body is in ${names['resource-file']}.factory.ts.`]),
    IN_REPOSITORY ? `npm run check:module ${file}` : `npm test -- ${dirname(manifest.path)}/`,
    'npm start creates the table.',
  ];
  console.log(`Added the resource ${names.resource} (${names.resources}) to the module ${names.module}:
${files.map(([path]) => `  ${path}`).join('\n')}
  ${manifest.path} (scopes, permissions, entity, controller, service, errors, events)
${contract ? `  ${contract.path} (${samples})\n` : ''}
Next:
${steps.map((step, index) => `  ${index + 1}. ${step}`).join('\n')}`);
}
