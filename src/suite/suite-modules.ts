import { existsSync, readFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import type { Type } from '@nestjs/common';
import { satisfies, validRange } from 'semver';
import { ConfigError } from '../kit/index.js';
import { isDomainModule, manifestOf, placeOfManifest } from '../kit/internal.js';
import { PROJECT_ROOT } from '../platform/config/project-root.js';
import { SUITE_VERSION } from '../platform/config/suite-version.js';
import type { MigrationFolder } from '../platform/persistence/database/migration-files.js';
import { suggestion } from '../platform/registry/near-matches.js';
import { requireHeardEvents } from './heard-events.js';
import { BuiltInModules, type Suite, type SuiteModule } from './define-suite.js';

const FILE = 'suite.config.ts';

/** The modules of a suite, and where those have their migrations that are packages. */
export interface LoadedModules {
  readonly modules: readonly Type[];
  readonly migrations: readonly MigrationFolder[];
}

/**
 * Loads the modules that a suite lists.
 * @throws ConfigError naming the entry that is no module, is listed twice, needs another version of the kit or listens to an unknown event
 */
export async function loadModules({ modules: listed }: Suite): Promise<LoadedModules> {
  const loaded = (await Promise.all(listed.map(modulesOf))).flat();
  const names = new Map<string, Type>();
  for (const { module, source } of loaded) {
    const { name, kit } = manifestOf(module);
    const other = names.get(name);
    if (other === module) throw new ConfigError(`${FILE} lists the module ${name} twice: remove one entry.`);
    if (other)
      throw new ConfigError(
        `${FILE} lists two modules named ${name}${placeOf(other)}${placeOf(module)}: leave the built-in one out, or rename your own.`,
      );
    names.set(name, module);
    if (kit !== undefined) requireKit(source ?? `The module ${name}${placeOf(module)}`, kit);
  }
  const modules = loaded.map(({ module }) => module);
  await requireHeardEvents(modules);
  return {
    modules,
    migrations: loaded.flatMap(({ module, folder }) => (folder === undefined ? [] : migrationsOf(manifestOf(module).name, folder))),
  };
}

function placeOf(module: Type): string {
  return placeOfManifest(manifestOf(module).file);
}

interface Loaded {
  readonly module: Type;
  /** That of its package. */
  readonly folder?: string;
  /** Its package, version and file, for messages. */
  readonly source?: string;
}

async function modulesOf(entry: SuiteModule): Promise<Loaded[]> {
  if (entry instanceof BuiltInModules) return (await builtInModules(entry)).map((module) => ({ module }));
  if (typeof entry === 'string') return [await moduleOfPackage(entry)];
  if (typeof entry !== 'function')
    throw new ConfigError(
      `${FILE} lists ${Array.isArray(entry) ? 'a list' : inspect(entry)} as a module: ` +
        'list a class, the name of a package, or ...builtIn().',
    );
  if (!isDomainModule(entry)) throw new ConfigError(`${FILE} lists ${entry.name}, which has no @DomainModule: list the class that has it.`);
  return [{ module: entry }];
}

async function builtInModules({ without }: BuiltInModules): Promise<readonly Type[]> {
  const { MODULES } = await import('../modules.js');
  const names = MODULES.map((module) => manifestOf(module).name);
  const unknown = without.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(
      `${FILE} leaves out "${unknown}", which is no built-in module${suggestion(unknown, names) || '.'} They are ${names.join(', ')}.`,
    );
  return MODULES.filter((module) => !without.includes(manifestOf(module).name));
}

async function moduleOfPackage(name: string): Promise<Loaded> {
  const project = join(PROJECT_ROOT, 'package.json');
  const manifest = manifestFile(name, project);
  if (manifest === undefined)
    throw new ConfigError(`${FILE} lists the package ${name}, which is not installed: run "npm install ${name}", or remove the entry.`);
  const { version, peerDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as PackageManifest;
  const source = `The package ${name} ${version} (${manifest})`;
  const range = peerDependencies['work-suite'];
  // before it is loaded: a package for another kit may import what this one lacks
  if (range !== undefined && validRange(range) !== null) requireKit(source, range);
  const { default: module } = await importPackage(name, project, source);
  if (typeof module !== 'function' || !isDomainModule(module as Type))
    throw new ConfigError(`${FILE} lists the package ${name}, whose default export is no class with @DomainModule: it is no module.`);
  return { module: module as Type, folder: dirname(manifest), source };
}

/** What is read of a package.json. */
interface PackageManifest {
  version: string;
  peerDependencies?: Readonly<Record<string, string>>;
}

function manifestFile(name: string, project: string): string | undefined {
  try {
    return findPackageJSON(name, pathToFileURL(project));
  } catch {
    return undefined;
  }
}

async function importPackage(name: string, project: string, source: string): Promise<{ default?: unknown }> {
  try {
    return (await import(pathToFileURL(createRequire(project).resolve(name)).href)) as { default?: unknown };
  } catch (error) {
    throw new ConfigError(`${source}, which ${FILE} lists, cannot be loaded: ${(error as Error).message}`, { cause: error });
  }
}

function migrationsOf(module: string, folder: string): MigrationFolder[] {
  const path = join(folder, 'dist', 'migrations');
  return existsSync(path) ? [{ path, module }] : [];
}

function requireKit(who: string, range: string): void {
  if (validRange(range) === null)
    throw new ConfigError(`${who} needs the kit "${range}", which is no range of versions: write one such as '^1.0.0'.`);
  if (!satisfies(SUITE_VERSION, range, { includePrerelease: true }))
    throw new ConfigError(
      `${who} needs the kit ${range}, but work-suite is ${SUITE_VERSION}: install a version of it that works with ${SUITE_VERSION}, or ` +
        'another work-suite.',
    );
}
