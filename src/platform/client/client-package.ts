import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { ConfigError } from '../../kit/index.js';
import { PACKAGE_ROOT } from '../config/project-root.js';
import { SUITE_VERSION } from '../config/suite-version.js';
import type { ApiDocuments } from '../openapi/document-cache.js';
import type { ApiDocument } from './api-document.js';
import { clientSource } from './client-source.js';

const NAME = 'work-suite-client';

/** The compiled runtime, and beside it what the package contains as it is in the sources. */
const RUNTIME = join(PACKAGE_ROOT, 'dist', 'src', 'client');

/** The files of the npm package `work-suite-client`, whose methods are the operations of the documents, by their paths. */
function clientPackage({ keyed, public: open }: Pick<ApiDocuments, 'keyed' | 'public'>): Map<string, string> {
  const documents = [keyed, open].map((document) => JSON.parse(document.content().toString()) as ApiDocument);
  const runtime = readdirSync(RUNTIME).filter((name) => name.endsWith('.js') && !['types.js', 'operation.js'].includes(name));
  return new Map([
    ['package.json', `${JSON.stringify(manifest(), null, 2)}\n`],
    ['README.md', readFileSync(join(RUNTIME, 'README.md'), 'utf8')],
    ...Object.entries(clientSource(documents, readFileSync(join(RUNTIME, 'types.ts'), 'utf8'))),
    ...runtime.map(
      (name) => [`runtime/${name}`, readFileSync(join(RUNTIME, name), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')] as const,
    ),
  ]);
}

/** The package as npm installs it from an address. The same documents give the same bytes. */
export function clientArchive(documents: Pick<ApiDocuments, 'keyed' | 'public'>): Buffer {
  const files = [...clientPackage(documents)].map(([name, data]) => ({ name: `package/${name}`, data }));
  return gzipSync(createTar(files, { attrs: { mtime: 0, mode: '644', uid: 0, gid: 0 } }), { level: 9 });
}

/** Writes the package into a folder, which becomes one or contains an earlier client. */
export function writeClientPackage(documents: Pick<ApiDocuments, 'keyed' | 'public'>, folder: string): void {
  const earlier = existsSync(folder) ? readdirSync(folder) : [];
  if (earlier.length > 0 && !isClient(folder))
    throw new ConfigError(`${folder} contains something else. Name a new folder, or one with an earlier client.`);
  for (const name of earlier.filter((file) => file !== 'node_modules')) rmSync(join(folder, name), { recursive: true });
  for (const [name, content] of clientPackage(documents)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

function isClient(folder: string): boolean {
  const file = join(folder, 'package.json');
  return existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { name?: string }).name === NAME;
}

function manifest() {
  return {
    name: NAME,
    version: SUITE_VERSION,
    description: 'A typed client of one work suite, generated from its OpenAPI documents.',
    license: 'UNLICENSED',
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    types: './index.d.ts',
    engines: { node: '>=20.3' },
  };
}
