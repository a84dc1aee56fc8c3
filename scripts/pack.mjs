// Before npm pack: builds what the package contains besides the product. The declarations that its exports reach, work-suite/testing
// with the files of test/ that it needs, and work-suite/client, the typed client of the built-in modules. Also packs create-work-suite.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { build, fail, install, pinnedNode, removeUnusedBundles, ROOT, step } from './prepare.mjs';

const SUITE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const DIST = join(ROOT, 'dist');
const DRAFT = join(DIST, 'types');
/** Not imported but run, by jest and by Node. */
const RUN = ['test/harness', 'test/mcp'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => /^(compiled|explain-failure|global-\w+|jest\.config|longest-first|native-\w+|ts-loader)\.mjs$/.test(name))
    .map((name) => `${folder}/${name}`),
);

/** What `work-suite new <folder>` reads. */
const CREATOR = [
  ...['create', 'module-files', 'module-names', 'new-module', 'new-project', 'prepare', 'source-edits'].map(
    (name) => `scripts/${name}.mjs`,
  ),
  ...['scripts/templates', 'docker/compose.yaml', 'docker/nginx.compose.conf', 'docker/.env.example'],
];

async function pack() {
  await install();
  await build();
  removeUnusedBundles();
  for (const folder of [DRAFT, join(DIST, 'test')]) rmSync(folder, { recursive: true, force: true });
  const tsc = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
  await step(
    'Writing declarations',
    [pinnedNode(), tsc, '-p', 'tsconfig.package.json', '--outDir', DRAFT],
    'The declarations have errors.',
  );
  const entries = Object.values(SUITE.exports).flatMap(({ types }) => (types ? filesOf(types) : []));
  for (const file of reachable(entries)) put(join(DRAFT, file), join(DIST, file));
  const sources = declarationsIn(join(DRAFT, 'test')).map((file) => relative(DRAFT, file).replace(/\.d\.ts$/, '.ts'));
  const { compileInto } = await import('./compiler.mjs');
  await compileInto(ROOT, sources);
  for (const file of RUN) put(join(ROOT, file), join(DIST, file));
  rmSync(DRAFT, { recursive: true });
  const client = [join(DIST, 'src', 'cli', 'main.js'), 'client', '--out', join(DIST, 'client')];
  await step('Writing the client', [pinnedNode(), ...client], 'The client could not be written.');
  await packCreator();
}

/** Without it, npx would install the suite with all its packages only to write a project. */
async function packCreator() {
  const folder = join(DIST, 'create-work-suite');
  rmSync(folder, { recursive: true, force: true });
  for (const path of CREATOR) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  // migrations of the project come after it
  const last = readdirSync(join(DIST, 'migrations'))
    .filter((name) => name.endsWith('.js'))
    .sort()
    .at(-1);
  put(join(DIST, 'migrations', last), join(folder, 'dist', 'migrations', last));
  const { version, type, license, engines, peerDependencies, peerDependenciesMeta, devDependencies } = SUITE;
  const manifest = {
    name: 'create-work-suite',
    version,
    description: 'Writes a project that runs work-suite with modules of its own.',
    type,
    license,
    engines,
    bin: 'scripts/create.mjs',
    peerDependencies,
    peerDependenciesMeta,
    devDependencies: { 'typescript-native': devDependencies['typescript-native'] },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const target = process.env.npm_config_pack_destination || ROOT;
  await step('Packing create-work-suite', ['npm', 'pack', folder, '--pack-destination', target], 'create-work-suite could not be packed.');
}

/** The declarations of an export, which may be one for each built-in module. */
function filesOf(types) {
  if (!types.includes('*')) return [types];
  return readdirSync(join(ROOT, 'src', 'modules'))
    .map((name) => types.replaceAll('*', name))
    .filter((path) => existsSync(join(DRAFT, relative('dist', path))));
}

/** The declarations that the types of the exports import, directly or not, by their paths below dist. */
function reachable(entries) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file) || !existsSync(join(DRAFT, file))) return;
    found.add(file);
    for (const [, path] of readFileSync(join(DRAFT, file), 'utf8').matchAll(/(?:from|import\(|import)\s*["'](\.[^"']+)\.js["']/g))
      visit(`${normalize(join(dirname(file), path))}.d.ts`);
  };
  for (const entry of entries) visit(relative('dist', entry));
  return found;
}

function declarationsIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => join(folder, name));
}

function put(source, target) {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(source, target);
}

await pack().catch(fail);
