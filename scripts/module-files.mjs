// The files of a module's resource: what `new module` and `new resource` write.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { TEMPLATES } from './module-names.mjs';
import { IN_REPOSITORY, PROJECT, ROOT, StepFailed } from './prepare.mjs';

/** What the generated files import, where they are, and the list that gets the module. */
const IN_SUITE = { kit: '../../kit/index.js', testing: '../../../test/index.js', list: join('src', 'modules.ts'), from: './modules' };
export const OF_TEAM = { kit: 'work-suite/kit', testing: 'work-suite/testing', list: 'suite.config.ts', from: './src/modules' };
export const IMPORTS = IN_REPOSITORY ? IN_SUITE : OF_TEAM;

export function requireProject() {
  if (PROJECT === ROOT && !IN_REPOSITORY) throw new StepFailed(`There is no suite.config.ts in ${process.cwd()} or above it.`);
}

/** The paths and contents of the files of a resource in a folder of a project. */
export function resourceFiles(names, folder, project, imports) {
  const about = (part) => join(folder, `${names.file}.${part}.ts`);
  const ofResource = (part) => join(folder, `${names['resource-file']}.${part}.ts`);
  const timestamp = String(nextTimestamp(project));
  const change = names.file === names['module-file'] ? 'tables' : names.file;
  const paths = {
    entity: ofResource('entity'),
    dto: about('dto'),
    controller: about('controller'),
    service: about('service'),
    errors: about('errors'),
    events: about('events'),
    factory: ofResource('factory'),
    spec: about('spec'),
    'e2e-spec': about('e2e-spec'),
    migration: join('migrations', `${timestamp}-${names['module-file']}-${change}.ts`),
  };
  const given = { ...names, timestamp, Change: change === 'tables' ? 'Tables' : names.Resources };
  return Object.entries(paths).map(([template, path]) => [path, render(template, given, imports)]);
}

export function moduleFile(names, folder, imports) {
  return [join(folder, `${names['module-file']}.module.ts`), render('module', names, imports)];
}

function render(template, names, imports) {
  const text = readFileSync(join(TEMPLATES, `${template}.ts.tmpl`), 'utf8').replace(/\{\{([\w -]+)\}\}/g, (token, name) => {
    if (!(name in names)) throw new Error(`${template}.ts.tmpl has the unknown token ${token}.`);
    return names[name];
  });
  return sorted(text).replaceAll(IN_SUITE.kit, imports.kit).replaceAll(IN_SUITE.testing, imports.testing);
}

export function adapt(names) {
  const { file, 'resource-file': resource } = names;
  return `Adapt the fields in ${resource}.entity.ts, ${file}.dto.ts and the migration, and the rules in ${file}.service.ts.`;
}

/** With its relative imports sorted, whose order depends on the module's names. */
export function sorted(text) {
  return text.replace(/(^import .* from '\.\/.*';\n)+/m, (imports) => imports.trimEnd().split('\n').sort(byPath).join('\n') + '\n');
}

function byPath(one, other) {
  const path = (line) => line.slice(line.indexOf("from '"));
  return path(one) < path(other) ? -1 : 1;
}

export function rejectTable(names, project, mend) {
  const creates = new RegExp(`CREATE TABLE (IF NOT EXISTS )?"?${names.resources}"?[ (]`);
  const owner = migrations(project).find((file) => creates.test(readFileSync(file, 'utf8')));
  if (owner) throw new StepFailed(`${relative(project, owner)} already creates the table ${names.resources}: ${mend}.`);
}

/** Writes the files that are new, and replaces those that are changed. */
export function write(project, created, changed = []) {
  for (const [path, content] of created) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content, { flag: 'wx' });
  }
  for (const [path, content] of changed) writeFileSync(join(project, path), content);
  format([...created, ...changed].map(([path]) => join(project, path)));
}

/**
 * A timestamp after all existing migrations, so that the new one runs last. While the suite has one of a later time than now, those of
 * projects and packages, which do not know each other, are at a distance that no two have.
 */
export function nextTimestamp(project) {
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
export function format(paths) {
  const formatter = join(ROOT, 'node_modules', 'oxfmt', 'bin', 'oxfmt');
  if (existsSync(formatter)) spawnSync(process.execPath, [formatter, ...paths], { cwd: ROOT, stdio: 'ignore' });
}
