import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';

interface Manifest {
  version: string;
  files: string[];
  bin: Record<string, string>;
  exports: Record<string, { types: string; default: string } | string>;
  peerDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const MANIFEST = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as Manifest;
/** What `npm pack` writes into dist/; the rest of it is that of the last build. */
const WRITTEN = /^dist\/(test|client)\//;

/** As npm reads `files`: what is named, and all below it, without what a later pattern excludes. npm pack itself takes seconds. */
const paths = new Set<string>();
for (const pattern of MANIFEST.files) {
  const name = pattern.replace(/^!/, '');
  const found = globSync([name, `${name}/**`], { cwd: PROJECT_ROOT }).filter((path) => statSync(join(PROJECT_ROOT, path)).isFile());
  for (const path of found)
    if (pattern.startsWith('!')) paths.delete(path);
    else paths.add(path);
}

test('the package has what is compiled, and no sources, specs or data', () => {
  for (const path of [
    'CHANGELOG.md',
    'config/default.yaml',
    'config/README.md',
    'docker/compose.yaml',
    'src/kit/README.md',
    'dist/src/main.js',
  ])
    expect([path, paths.has(path)]).toEqual([path, true]);
  const templates = [...paths].filter((path) => path.startsWith('scripts/templates/'));
  expect(templates.length).toBeGreaterThan(20);
  // templates, a receiver that the docs show, and declarations that become a part of the client
  const shown = /^scripts\/templates\/|\/docs\/receivers\/|\/client\/types\.ts$/;
  const product = [...paths].filter((path) => !shown.test(path));
  const wrong = product.filter((path) =>
    /spec\.|\.slow\.|(?<!\.d)\.ts$|\.data|(?<!bundle\/\w+\/[^/]+)\.map$|suite\.config|^\.ci/.test(path),
  );
  expect(wrong).toEqual([]);
});

test('its exports are files of this repository, compiled', () => {
  const targets = Object.values(MANIFEST.exports).flatMap((target) => (typeof target === 'string' ? [] : [target]));
  expect(targets.length).toBeGreaterThan(3);
  for (const { types, default: code } of targets) {
    expect(types).toBe(code.replace(/\.js$/, '.d.ts'));
    const files = code.includes('*') ? globSync(code, { cwd: PROJECT_ROOT }).map((file) => `./${file}`) : [code];
    expect(files).not.toEqual([]);
    for (const file of files) {
      // the client is generated around its runtime
      const source = file
        .replace('./dist/', '')
        .replace(/^client\//, 'src/client/')
        .replace(/\.js$/, '.ts');
      expect([source, existsSync(join(PROJECT_ROOT, source))]).toEqual([source, true]);
      if (!WRITTEN.test(normalize(file))) expect([file, paths.has(normalize(file))]).toEqual([file, true]);
    }
  }
});

test('its commands have all files that they import', () => {
  const missing: string[] = [];
  const seen = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    if (!paths.has(path)) return void missing.push(path);
    const text = readFileSync(join(PROJECT_ROOT, path), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|import\()\s*'(\.[^']+\.mjs)'/g)) visit(join(dirname(path), imported));
    // the table of commands names files
    for (const [, file] of text.matchAll(/^ {2}['\w:]+: \['([\w-]+)', /gm)) visit(`scripts/${file}.mjs`);
  };
  visit(MANIFEST.bin['work-suite']);
  expect(missing).toEqual([]);
  expect(seen.size).toBeGreaterThan(8);
});

test('what its tests need is that with which the suite is tested', () => {
  expect(MANIFEST.peerDependencies).toEqual(
    Object.fromEntries(Object.keys(MANIFEST.peerDependencies).map((name) => [name, MANIFEST.devDependencies[name]])),
  );
  expect(readFileSync(join(PROJECT_ROOT, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${MANIFEST.version}\n`);
});
