// Bundles the compiled service and commands with their packages into dist/bundle, because loading 3,500 single files takes most of a start.
// Each content has a folder of its own, because a running service loads parts of its bundle later; `current` names the last one.
// Files that are loaded later (migrations, threads) stay separate in dist.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { SERVICE_COMMANDS } from './commands.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');
const BUNDLES = join(DIST, 'bundle');
/** As deep as the folder that it becomes, because paths to dist/src are relative. */
const DRAFT = join(BUNDLES, 'draft');
const CURRENT = join(BUNDLES, 'current');
/** The bundler names files by where they are, and the folder may be a link. */
const PACKAGES = realpathSync(join(ROOT, 'node_modules'));

/** Native code, packages that find files beside their own, and optional packages that are not installed. */
const EXTERNAL = [
  '@node-rs/argon2',
  'sharp',
  'piscina',
  // loaded by the first OAuth client; a package below it uses eval
  'oidc-provider',
  '@myriaddreamin/typst-ts-node-compiler',
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  // not installed unless a module uses it, whose decorators the boot reads from the same copy
  'class-transformer',
  'class-transformer/cjs/storage',
  'class-transformer/storage',
  '@nestjs/microservices',
  '@nestjs/microservices/microservices-module.js',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@nestjs/websockets/socket-module.js',
  'pg-native',
];
/** Calls `require` with a variable, but only for packages that are not installed. */
const MAY_USE_IMPORT_META = join(PACKAGES, '@nestjs', 'common', 'utils', 'load-package.util.js');
/** The `require` that some packages create. The bundler does not follow it, so a second copy of a package would be loaded. */
const CREATED_REQUIRE = 'const require = createRequire(import.meta.url);';

/** Files of packages that mention their own location but work from another: checked one by one. */
const MAY_USE_OWN_LOCATION = [
  // only for messages and stack traces
  'ioredis/built/Command.js',
  'undici/index.js',
  // reads its own version and does without it
  'ioredis/built/utils/index.js',
  // only for processors in processes of their own, which the suite has none of
  'bullmq/dist/cjs/classes/worker.js',
  // a comment
  'bullmq/dist/cjs/postgres/sql-scripts.js',
  // the native module, which is switched off below
  'msgpackr/dist/node.cjs',
  'msgpackr-extract/index.js',
  // only for log transports in threads, which the suite has none of
  'pino/lib/transport.js',
  'thread-stream/index.js',
  // the suite finds these files by itself
  'swagger-ui-dist/absolute-path.js',
].map((file) => join(PACKAGES, file));

/** What modules outside of the bundle take from it, see src/shared-packages.ts. */
const SHARED = {
  'work-suite': join(DIST, 'src', 'suite', 'index.js'),
  'work-suite/kit': join(DIST, 'src', 'kit', 'index.js'),
  'work-suite/console': join(DIST, 'src', 'console', 'index.js'),
  ...Object.fromEntries(publicFaces().map(([module, file]) => [`work-suite/modules/${module}`, file])),
  ...Object.fromEntries(
    ['@nestjs/common', '@nestjs/core', '@nestjs/swagger', '@nestjs/typeorm', 'class-validator', 'reflect-metadata', 'typeorm'].map(
      (name) => [name, name],
    ),
  ),
};
const entryName = (specifier) => `shared-${specifier.replace(/\W+/g, '-')}`;

const replacedDrivers = new Set();
const isPackage = (id) => id.includes('node_modules');

const bundle = await rolldown({
  input: {
    start: join(DIST, 'src', 'start.js'),
    ...Object.fromEntries(SERVICE_COMMANDS.map((name) => [name, join(DIST, 'src', 'cli', `${name}.js`)])),
    ...Object.fromEntries(Object.entries(SHARED).map(([specifier, file]) => [entryName(specifier), file])),
  },
  cwd: ROOT,
  platform: 'node',
  external: EXTERNAL,
  // msgpackr would look for a native module, and for the C library of this machine to choose it by
  transform: { define: { 'process.env.MSGPACKR_NATIVE_ACCELERATION_DISABLED': '"true"' } },
  onLog(level, log) {
    if (level === 'warn') throw new Error(log.message);
  },
  plugins: [
    {
      name: 'suite',
      load: (id) => withoutDriver(id) ?? (isPackage(id) || !existsSync(`${id}.map`) ? null : withSourceMap(id)),
      transform: (code, id) => (isPackage(id) ? withStaticRequire(code, id) : withName(withOriginalLocation(code, id), id)),
    },
  ],
});
const { output } = await bundle.write({
  dir: DRAFT,
  cleanDir: true,
  format: 'cjs',
  exports: 'named',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  // names of classes appear in the OpenAPI documents and in logs
  keepNames: true,
  comments: false,
  // V8 keeps the source in memory: short names of local variables save 2 MB of it
  minify: { compress: false, mangle: { keepNames: true }, codegen: { asciiOnly: true } },
  sourcemap: true,
  sourcemapExcludeSources: true,
});

if (!replacedDrivers.has('MysqlDriver')) throw new Error('The drivers of TypeORM were not found; correct withoutDriver.');

// V8 keeps a source in twice the memory for a single character beyond Latin-1. The bundler leaves those in tagged templates,
// whose tags see no difference unless they read the raw text.
for (const { fileName, type, code } of output) {
  if (type === 'chunk' && /[\u0080-\uffff]/.test(code)) writeFileSync(join(DRAFT, fileName), code.replace(/[\u0080-\uffff]/g, escaped));
}

const shared = Object.fromEntries(Object.keys(SHARED).map((specifier) => [specifier, `${entryName(specifier)}.cjs`]));
writeFileSync(join(DRAFT, 'shared.json'), JSON.stringify(shared));

const id = createHash('sha256');
for (const { fileName, code, source } of output) id.update(fileName).update(code ?? source);
const name = id.digest('hex').slice(0, 16);
if (existsSync(join(BUNDLES, name))) rmSync(DRAFT, { recursive: true });
else renameSync(DRAFT, join(BUNDLES, name));
writeFileSync(`${CURRENT}.draft`, name);
renameSync(`${CURRENT}.draft`, CURRENT);

/** What built-in modules publish: package.json exports it by the same names. */
function publicFaces() {
  const modules = join(DIST, 'src', 'modules');
  return readdirSync(modules)
    .map((name) => [name, join(modules, name, `${name}.public.js`)])
    .filter(([, file]) => existsSync(file));
}

function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** TypeORM loads its drivers for all databases, a megabyte of code; all but PostgreSQL's are replaced by empty classes. */
function withoutDriver(id) {
  const [, database, name] = /\/typeorm\/driver\/([\w-]+)\/(\w+Driver)\.js$/.exec(id) ?? [];
  if (name === undefined || database === 'postgres') return null;
  replacedDrivers.add(name);
  return `exports.${name} = class {};`;
}

function withSourceMap(id) {
  return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
}

/** Without a source map: positions in packages are of little use, and the map would take 100 MB when a stack is read. */
function withStaticRequire(code, id) {
  const text = code.replace(CREATED_REQUIRE, '');
  if (text.includes('import.meta') && id !== MAY_USE_IMPORT_META) {
    throw new Error(`${id} uses import.meta, which refers to another file in the bundle; replace it.`);
  }
  if (/\b__(dirname|filename)\b/.test(text) && !MAY_USE_OWN_LOCATION.includes(id)) {
    throw new Error(`${id} uses its own location, which is another one in the bundle: add its package to EXTERNAL, or check it.`);
  }
  return { code: text, map: { mappings: '' } };
}

/** Makes import.meta in our modules refer to the original file in dist/src. */
function withOriginalLocation(code, id) {
  if (!code.includes('import.meta')) return code;
  if (/\b(?:const|let|var|function) require\b/.test(code))
    throw new Error(`${id} declares require, which import.meta needs in the bundle; give it another name.`);
  const file = `__dirname + ${JSON.stringify(`/${relative(DRAFT, id)}`)}`;
  // the line numbers do not change
  return code
    .replaceAll('import.meta.url', `require('node:url').pathToFileURL(${file}).href`)
    .replaceAll('import.meta.dirname', `require('node:path').dirname(${file})`);
}

/** Says which file is evaluated, for `src/kit/store/definitions.ts`; before the first line, so that line numbers do not change. */
function withName(code, id) {
  return { code: `globalThis.evaluatedFile=${JSON.stringify(`file:/${relative(DIST, id)}`)};${code}`, map: null };
}
