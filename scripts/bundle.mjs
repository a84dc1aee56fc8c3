// Bundles the compiled service with its packages into dist/bundle: loading 3,500 single files took most of a start. What
// is loaded later (migrations, threads, commands) stays in files of its own in dist.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');
const BUNDLE = join(DIST, 'bundle');

/** Native code, and optional packages that nothing here installs. */
const EXTERNAL = [
  '@node-rs/argon2',
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/microservices/microservices-module.js',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@nestjs/websockets/socket-module.js',
  'pg-native',
];
/** The one whose `require` gets a variable; what calls it names packages that are not installed. */
const MAY_USE_IMPORT_META = join(ROOT, 'node_modules', '@nestjs', 'common', 'utils', 'load-package.util.js');
/** How packages make a `require`. A bundler does not follow such a one, and a second copy of a package would be loaded. */
const MADE_REQUIRE = 'const require = createRequire(import.meta.url);';

const isPackage = (id) => id.includes('node_modules');

const bundle = await rolldown({
  input: { start: join(DIST, 'src', 'start.js') },
  cwd: ROOT,
  platform: 'node',
  external: EXTERNAL,
  onLog(level, log) {
    if (level === 'warn') throw new Error(log.message);
  },
  plugins: [
    {
      name: 'suite',
      load: (id) => (isPackage(id) || !existsSync(`${id}.map`) ? null : withSourceMap(id)),
      transform: (code, id) => (isPackage(id) ? withStaticRequire(code, id) : withPlace(code, id)),
    },
  ],
});
await bundle.write({
  dir: BUNDLE,
  cleanDir: true,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  // names of classes appear in the OpenAPI documents and in logs
  keepNames: true,
  comments: false,
  // V8 needs twice the memory for a source with a character beyond Latin-1
  minify: { compress: false, mangle: false, codegen: { asciiOnly: true } },
  sourcemap: true,
  sourcemapExcludeSources: true,
});

function withSourceMap(id) {
  return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
}

/** Without a map: positions in packages are of no use, and the map of all of them would take 100 MB when a stack is read. */
function withStaticRequire(code, id) {
  const text = code.replace(MADE_REQUIRE, '');
  if (text.includes('import.meta') && id !== MAY_USE_IMPORT_META) {
    throw new Error(`${id} uses import.meta, which means another file in the bundle: see how it can be replaced.`);
  }
  return { code: text, map: { mappings: '' } };
}

/** Our own modules find the files beside them in dist/src as before. */
function withPlace(code, id) {
  if (!code.includes('import.meta')) return null;
  const file = `__dirname + ${JSON.stringify(`/${relative(BUNDLE, id)}`)}`;
  const text = code
    .replaceAll('import.meta.url', `require('node:url').pathToFileURL(${file}).href`)
    .replaceAll('import.meta.dirname', `require('node:path').dirname(${file})`);
  // lines stay where they are
  return { code: text, map: null };
}
