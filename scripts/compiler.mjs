// Compiles TypeScript with decorators, for the build, the tests and the projects of teams:
// node scripts/compiler.mjs <root> <files and folders>
import { copyFileSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform, transformSync } from '@swc/core';
import { ROOT, TEST_FILE } from './prepare.mjs';

// the file that `nest build` reads, see nest-cli.json
const { $schema: _, ...swcrc } = JSON.parse(readFileSync(join(ROOT, '.swcrc'), 'utf8'));
const OPTIONS = { ...swcrc, swcrc: false };
/** Files that the product reads: it shows the receivers in TypeScript, and types.ts is a part of the client. */
const READ =
  /^src[\\/](platform[\\/]docs[\\/]receivers[\\/]|client[\\/](types\.ts|README\.md)$)|\.(typ|css|html|svg|png|ico|txt|csv|json|ya?ml)$/;
const NOT_READ = /sql\.allowed\.json$/;

/** One file, for Node's loader hooks, with its source map inside. */
export function compileSource(filename) {
  return transformSync(readFileSync(filename, 'utf8'), { ...OPTIONS, filename, sourceMaps: 'inline', module: { type: 'es6' } }).code;
}

/** Writes dist/ below the root: the given files and folders, compiled, and beside them what the product reads. */
export async function compileInto(root, paths, target = join(root, 'dist')) {
  await Promise.all(paths.flatMap((path) => filesUnder(root, path)).map((path) => write(root, path, join(target, path))));
}

/** Without the stack of swc's own. */
export function messageOf(error) {
  return String(error.message ?? error)
    .split('\n\nCaused by')[0]
    .trimEnd();
}

async function write(root, path, target) {
  const source = join(root, path);
  if (TEST_FILE.test(path) || path.endsWith('.d.ts')) return;
  const isRead = READ.test(path) && !NOT_READ.test(path);
  if (!isRead && !path.endsWith('.ts')) return;
  mkdirSync(dirname(target), { recursive: true });
  if (isRead) return copyFileSync(source, target);
  const output = target.replace(/\.ts$/, '.js');
  const { code, map } = await transform(readFileSync(source, 'utf8'), {
    ...OPTIONS,
    filename: source,
    sourceMaps: true,
    outputPath: output,
  });
  writeFileSync(output, `${code}//# sourceMappingURL=${basename(output)}.map\n`);
  writeFileSync(`${output}.map`, map);
}

function filesUnder(root, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats ? [path] : [];
  return readdirSync(join(root, path)).flatMap((name) => filesUnder(root, join(path, name)));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [root, ...paths] = process.argv.slice(2);
  // without await: jest loads this file by require
  compileInto(root, paths).catch((error) => {
    console.error(messageOf(error));
    process.exitCode = 1;
  });
}
