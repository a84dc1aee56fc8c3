// work-suite new <folder> [--suite <version or file>], npm create work-suite <folder>: writes the project of a team. Uses only Node's
// built-in modules.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OF_TEAM } from './module-files.mjs';
import { writeModule } from './new-module.mjs';
import { ROOT, StepFailed } from './prepare.mjs';

const TEMPLATES = join(ROOT, 'scripts', 'templates');
/** Of the package that runs: the suite's, or that of create-work-suite, which has what is read here. */
export const SUITE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const COMMAND = SUITE.name === 'work-suite' ? 'work-suite new' : 'npm create work-suite';
const USAGE = `Use: ${COMMAND} <folder>, with --suite <version or file of the package> if the one that runs is not meant. In a project:
work-suite new module <name>, new resource <module> <name>, new migration <module> [what].`;
const NAME = /^[a-z0-9][a-z0-9._-]*$/;

export async function run(args) {
  const { folder, suite } = readArguments(args);
  const name = basename(folder);
  if (!NAME.test(name)) throw new StepFailed(`"${name}" cannot be the name of a project: use lowercase letters, digits, dots and hyphens.`);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new StepFailed(`${folder} is not empty: choose another folder, or use "work-suite new module <name>" in a project.`);
  const put = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: 'wx' });
  };
  const fill = (template) => template.replaceAll('{{name}}', name);
  const copy = (path, template = join('project', path)) => put(path, fill(readFileSync(join(TEMPLATES, `${template}.tmpl`), 'utf8')));

  put('package.json', `${JSON.stringify(manifestOf(name, requirementOf(suite, folder)), null, 2)}\n`);
  for (const path of ['suite.config.ts', 'README.md', 'test/suite.e2e-spec.ts', 'docker/Dockerfile']) copy(path);
  copy('tsconfig.json', 'tsconfig.json');
  copy('.gitignore', 'gitignore');
  copy('.npmrc', 'npmrc');
  copy('.env.example', 'project/env.example');
  copy('docker/Dockerfile.dockerignore', 'project/docker/dockerignore');
  const compose = readFileSync(join(ROOT, 'docker', 'compose.yaml'), 'utf8');
  put(
    'docker/compose.yaml',
    compose.replace('name: work-suite', `name: ${name.replaceAll('.', '-')}`).replace('image: work-suite', `image: ${name}`),
  );
  for (const file of ['nginx.compose.conf', '.env.example']) put(`docker/${file}`, readFileSync(join(ROOT, 'docker', file), 'utf8'));
  writeModule('notes', { project: folder, imports: OF_TEAM });
  console.log(`Wrote the project ${name}:

  cd ${relative(process.cwd(), folder) || '.'}
  npm install     # its warnings about engines do not matter
  npm start       # http://localhost:3000
  npm test

README.md says what is where; src/modules/notes is a module to begin with.`);
  return 0;
}

function readArguments(args) {
  let parsed;
  try {
    parsed = parseArgs({ args, allowPositionals: true, options: { suite: { type: 'string' } } });
  } catch {
    throw new StepFailed(USAGE);
  }
  const [folder, ...more] = parsed.positionals;
  if (folder === undefined || more.length > 0) throw new StepFailed(USAGE);
  return { folder: resolve(folder), suite: parsed.values.suite ?? runningPackage() };
}

/** The suite's file beside that from which npx has installed the running package, or the same; undefined if it is from a registry. */
export function runningPackage() {
  const installation = join(ROOT, '..', '..');
  const manifest = join(installation, 'package.json');
  const from = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).dependencies?.[SUITE.name] : undefined;
  if (!from?.startsWith('file:')) return undefined;
  const file = resolve(installation, from.slice('file:'.length));
  return join(dirname(file), basename(file).replace(/^create-/, ''));
}

/** What package.json requires. A file is copied into the project, which then needs nothing from outside of it. */
export function requirementOf(suite, folder) {
  if (suite === undefined) return `^${SUITE.version}`;
  if (!existsSync(suite)) {
    if (/[\\/]|\.tgz$/.test(suite)) throw new StepFailed(`There is no file ${suite}.`);
    return suite;
  }
  mkdirSync(join(folder, 'vendor'), { recursive: true });
  copyFileSync(suite, join(folder, 'vendor', basename(suite)));
  return `file:vendor/${basename(suite)}`;
}

function manifestOf(name, suite) {
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: SUITE.engines,
    scripts: {
      start: 'work-suite start',
      dev: 'work-suite dev',
      test: 'work-suite test',
      build: 'work-suite build',
      'new:module': 'work-suite new module',
      'new:resource': 'work-suite new resource',
      'new:migration': 'work-suite new migration',
      'demo:reset': 'work-suite demo:reset',
      'demo:seed': 'work-suite demo:seed',
    },
    // * is the version that the suite has installed
    dependencies: { '@nestjs/common': '*', typeorm: '*', 'work-suite': suite },
    devDependencies: developmentPackages(),
  };
}

/** What compiling and testing needs, in the versions that the suite is tested with. */
export function developmentPackages() {
  return { ...SUITE.peerDependencies, typescript: SUITE.devDependencies['typescript-native'].replace('npm:typescript@', '') };
}
